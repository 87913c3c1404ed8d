// SPDX-License-Identifier: Apache-2.0

/// Four arc-disjoint spanning trees of n x n tori, of height 2 floor(n/2) + 2 at most. A search
/// found them among trees that are each other's quarter turns;
/// tests/unit/algorithm/many_to_all/edst_trees_test.cpp verifies them. EdstTrees::table says how to
/// read the tables.

#include "algorithm/many_to_all/edst_trees.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "algorithm/torus_rings.hpp"
#include "core/invalid.hpp"

namespace lockstep {

namespace {

constexpr std::array<std::pair<std::uint64_t, std::string_view>, 29> tables{{
    {3, "tl"},
    {4, "tvlxe"},
    {5, "tilvvl"},
    {6, "tsthjwxlve"},
    {7, "tttkkwxdjgsl"},
    {8, "tmgtlfkqafdjppcuv"},
    {9, "ttttlffefccfredpvvvl"},
    {10, "txtttqkflfgtmkqgmjwpkehhxe"},
    {11, "wswtskrfggtlxdbdgficvrktgshtcl"},
    {12, "wtvxtekqrllufcjwdioglxnoaflxhnqgcgixe"},
    {13, "tttuttkqqkfkfkxcdpnbqgtaaafeukqppvtltgmixl"},
    {14, "wswmcmckkkswtxuswcdhbnfkuqglcuenhjvcjxnicxvswxsjji"},
    {15, "ttttwttkfkflfgmncddwdbnhpjswxubsdcomjusdsdbfaidxuwwivlvl"},
    {16, "ttsttswnkqlqjtgfseedcwnjprrgcwccarcjxoltvmmpmmplebskjbhtukalwglle"},
    {17, "vtvtttttktstwtwxdxxwwcclrkuwwxwuuutusuttfewwuwwbhttxdbtvxtwgttsqlfsdjxxx"},
    {18, "ttssxawnclqrlgvtgawwcdcdxfrllkflauwtasqoguvvvtgvxpqdogmakkvmkpltagwbkbnpjvfrjhsrlv"},
    {19,
     "vttvvvvtrkfkuvishvttxusswwdnjiheshssswwxpgmnevmkxtmpnrkqqrllekkbfwoamgsqhdwoksffggarqqdaqv"},
    {20,
     "vtvtttvtvvkfefqfujuusxswwcxwpbdbbhjbhxusuuuuxtavmcssbhsuuuxtafxwxcwsvktcacacvfmpvvxwvxpjxs"
     "wusvsflsfev"},
    {21,
     "vtvtttvtvtkwststuwvtxxwxxwwxwvxtwwwtxwagvxvutxllqkkkswtxuuuvwppdhwwtsuuuuuvxwtttsuuutllttt"
     "stwvafffxwvsswcutvxm"},
    {22,
     "tefffllfftvkwutvvsuutsxwwwwwwxddvxxuswvtmlvtvvutvvvuwcdutwiutvvuwxoawtwtulutuuvuvuwwtaavta"
     "avwvwwvvxwwjibtgxvwjvwwcupjjvxvv"},
    {23,
     "ttttwwtwwstkffkqqkqllgwxcjdicwwwddhpnpdgodvgcsplmnotivwociocolsnpmrnnogocgatggxhpmkpjpcjuw"
     "xhxwbhccvmbwgtsbbtccbwmimbufefcaxtstcmrgte"},
    {24,
     "vtvvtvvttttvkflerklretguwxwdxxxxxwdacvflswwsvuxuwvvsuuxwgcultfrhvxuteuwtddnpbkdoixpkeqoqdg"
     "amhtwvkkqmihgammgqlwofrpvfcjtsfgcinmhtsrlrfrflsseqkefvv"},
    {25,
     "vtttvtvtvtttkqefktuwxtwwxxwxwxxxxwwvxwuqhwuttwuutsuuvvstppnbefllttvvtsuusvscxwwxvxttlxxxvv"
     "xujvtsuuwwjussuuuxxtuuwwvttxvuxxttvtsswxvutxutwstxkuuwwstjvttxlttl"},
    {26,
     "xtvttgstttttvkqkklklftttwswwwdwwjxwxdvvvvtutsttwxvvvvwwxstslrpfkfktxwubjuuttlxwppekqgtgwvv"
     "valswssenhqitttsxvtcwwsqkfustrixusutgdvlrfxjxvforxocnmjsutiprrrkwvkvvstgvvxxwvvv"},
    {27,
     "ttwxttsttxmqgkqlrlkllflqafggfcwdwjcxxwdpjphjvwvvsdtmobdpoorppoelkrawgogsdxhqolgvxaejdpbdjp"
     "qknriwushbernbdnjswicxatttgvsufflsndampnrnjisqakfwtgatsnlwwubqglewwhwwvvxxdbnjalekncagwuok"
     "fl"},
    {28,
     "vtvxvvtoggttttkqgkkrqqqdttstxxdvtvxcxcxwdjhjhhjwnetwsbesuxvsprepmgxtxsttxttxvvsvvvsusefimr"
     "kffgxtivvwuxmqbrlfmffftxdivgvtssdxtettctxwuxterdxpswsttxawxsuebefkefiwvswtaowutvtvskwcttrg"
     "gxdudgtkxtnllsrlv"},
    {29,
     "wtstsstvwwtswvkfffkekllkfftliixdjxxwdcjwdnndpbnpjhdaiiivsrcprpqmpqndommplexoditvtxplsuksux"
     "vfqogsekrgijwukewpjhjtaofmcnjsubvtgrbkugutvenmccvtsdjxbqbfiurlffxnrfiusbwixvwuxxxwufqgcjtv"
     "sssbfkqlepenhvwiocxwmivtsnggxf"},
    {30,
     "xttttsttswstfgkkfqqqrfllqllvqjtxcdjwxwcwcdwdbdnjpjjdbbjdjivsnpqmnoorqprqmplsqoqjdaooqiunrj"
     "phsedncbhddoiwoluqltlxpogqlmbktmplttgvtiwjgvgorbvlrolqlfgtgtgxoomogcvlfcarqkngrmiimmatwolt"
     "ggxllswutulrnhhokhbfvrhnmojpdamhdkuwtiivtgvgxv"},
    {50,
     "xtxsxvttttwxttvxvxvvwvtvtlqkqkklkqkqlqkkrklllqllelglvcijwxdjwwwjxjxcidcdddppjbjjdbnjdbjvwx"
     "uudheueeejxjjvrdswjwoocaqpomramgamhtvfmcpepdphjwgfasvvvekkuesnqoqnnrpqpllrjpfrnlwxngoaamia"
     "lwxalcvvfafqprltaltlgalvxxvqaqgglxtuwwstccoisvqcsqctgvgswoidixbshhdbdddmlqpktsjbnhnggvatga"
     "xjxxxwiorkuuqopeqffiwcoqklrflltejsndophsbktggutoovstebfisutiommcvlcvmjpkuqnodwgwvlgcjndpqq"
     "klqaehdogmmmplobwnbnqgusskswstooiuwsxvflgstsvwpqnpkhjutricjppnbhhslwacdxicvltlgtlltlrjvuxv"
     "rgxhltxtgtvvgtxwxiiamppjvejbtlwxjhnmbenmnplfcmcgukelkqcpjxxpfttgvxsxwivsxgvejvxhuewximciac"
     "slivxvuswgaascnomcgomagogtsrbtarrkjdbkukdtxtsxiuwwuvkfmgmnhhwwudcfcdwjvgvrbdivlsnjujbv"},
}};

// Ports that lead to parents; the root's entry is unused.
constexpr Port port_down{0};
constexpr Port port_up{1};
constexpr Port port_right{2};
constexpr Port port_left{3};

/// Rows in two halves, of which one is entered through the wrap-around.
[[nodiscard]] Port odd_form(std::uint64_t side, std::uint64_t x, std::uint64_t y) {
  if (y == 0) return port_left;
  if (x == 0) return port_right;
  if (x > side / 2) return port_left;
  return y <= side / 2 ? port_up : port_down;
}

[[nodiscard]] Port any_form(std::uint64_t x, std::uint64_t y) {
  if (y == 0) return port_left;
  return x == 0 ? port_right : port_up;
}

/// No two trees share an arc, because every port occurs once in a permutation.
[[nodiscard]] std::vector<Port> tabulated_ports(std::uint64_t side) {
  std::vector<Port> ports(side * side);
  std::vector<bool> known(side * side);
  known.front() = true;
  auto letter = EdstTrees::table(side).begin();
  for (std::uint64_t u = 1; u < ports.size(); ++u) {
    if (known[u]) continue;
    std::array<std::uint16_t, EdstTrees::count> of_u{0, 1, 2, 3};
    for (char before = 'a'; before < *letter; ++before) std::ranges::next_permutation(of_u);
    ++letter;
    for (std::size_t tree = 0; tree < EdstTrees::count; ++tree) {
      const std::uint64_t place = index(EdstTrees::place(side, tree, NodeId{u}));
      ports[place] = EdstTrees::turned(Port{of_u[tree]}, EdstTrees::count - tree);
      known[place] = true;
    }
  }
  return ports;
}

[[nodiscard]] std::vector<Port> parent_ports(std::uint64_t side, EdstTrees::Form form) {
  if (form == EdstTrees::Form::table && EdstTrees::table(side).empty())
    throw invalid(
        "trees: table requires sides of 3..30 or 50; given: side {}; any allows every side", side);
  if (form == EdstTrees::Form::odd && side % 2 == 0)
    throw invalid("trees: odd requires odd sides; given: side {}; any allows every side", side);
  if (form == EdstTrees::Form::table) return tabulated_ports(side);
  std::vector<Port> ports;
  ports.reserve(side * side);
  for (std::uint64_t y = 0; y < side; ++y)
    for (std::uint64_t x = 0; x < side; ++x)
      ports.push_back(form == EdstTrees::Form::odd ? odd_form(side, x, y) : any_form(x, y));
  return ports;
}

}  // namespace

std::string_view EdstTrees::table(std::uint64_t side) noexcept {
  for (const auto& [n, letters] : tables)
    if (n == side) return letters;
  return {};
}

EdstTrees::Form EdstTrees::lowest(std::uint64_t side) noexcept {
  if (!table(side).empty()) return Form::table;
  return side % 2 == 1 ? Form::odd : Form::any;
}

EdstTrees::EdstTrees(const Torus& torus, Form form)
    : side_(rings_of(torus).at(0).side),
      form_(form),
      first_(torus, NodeId{0}, parent_ports(side_, form)) {}

}  // namespace lockstep
