# SPDX-License-Identifier: Apache-2.0
"""Network files of NetworkX and igraph, written with their defaults: Lockstep reads them, writes
them again, and all three read the same network.

    python3 network_tools.py LOCKSTEP FOLDER    # exit code 1, and why, where a network differs

Networks are compared by the names of their nodes and by their links, lanes counted.
"""
import collections
import json
import math
import pathlib
import subprocess
import sys
import warnings
import xml.etree.ElementTree

import networkx as nx

try:
    import igraph
except ImportError:
    igraph = None

warnings.simplefilter("ignore")  # of changes in later versions
PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


def named(name):
    """NetworkX writes the tuple (0, 1) as "(0, 1)" or as [0, 1]."""
    if isinstance(name, (list, tuple)):
        return "(" + ",".join(named(part) for part in name) + ")"
    return str(name).replace(", ", ",").replace("'", "")


def graph_of(names, links):
    return (frozenset(names), collections.Counter(frozenset(link) for link in links))


def of_networkx(graph, name=lambda graph, node: named(node)):
    links = [(name(graph, u), name(graph, v)) for u, v, *_ in graph.edges]
    if graph.is_directed():  # each arc has its reverse
        count = collections.Counter(links)
        links = [link for link in count.elements() if link[0] < link[1]]
    return graph_of((name(graph, node) for node in graph), links)


def label_of(graph, node):
    return named(graph.nodes[node]["label"])


def lockstep(path, form):
    """What the program shows of a file; None: it refuses the file in one line."""
    done = subprocess.run([PROGRAM, "show", f"file:{path}", "--format", form],
                          capture_output=True, text=True)
    if done.returncode == 2:
        assert done.stderr.count("\n") == 1, done.stderr
        return None
    assert done.returncode == 0, done.stderr
    return done.stdout


def of_lockstep(path):
    text = lockstep(path, "node-link")
    return None if text is None else of_networkx(nx.node_link_graph(json.loads(text)), label_of)


def networkx_networks():
    yield "path", nx.path_graph(5)
    yield "single link", nx.path_graph(2)
    yield "cycle", nx.cycle_graph(7)
    yield "star", nx.star_graph(6)
    yield "complete", nx.complete_graph(5)
    yield "petersen", nx.petersen_graph()
    yield "karate", nx.karate_club_graph()  # weights, and the attribute "club"
    yield "tuples", nx.grid_2d_graph(3, 4)
    yield "cube", nx.convert_node_labels_to_integers(nx.hypercube_graph(4))
    yield "tree", nx.balanced_tree(2, 3)
    yield "florentine", nx.florentine_families_graph()
    blanks = nx.davis_southern_women_graph()
    blanks.graph.clear()  # lists, which GraphML cannot hold
    yield "blanks", blanks
    yield "novel", nx.les_miserables_graph()
    yield "caveman", nx.connected_caveman_graph(3, 4)
    yield "unordered", nx.Graph([(7, 3), (3, 0), (0, 7), (7, 2)])
    yield "circulant", nx.circulant_graph(9, [1, 3])
    yield "arcs", nx.path_graph(4).to_directed()
    yield "words", nx.Graph([("core-1", "leaf.2"), ("core-1", "leaf#3"), ("leaf#3", "leaf.2")])
    lanes = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c"), ("c", "a")])
    yield "lanes", lanes
    attributes = nx.wheel_graph(6)
    for u, v, data in attributes.edges(data=True):
        data.update(weight=math.inf if u == 0 else 0.5, kind="copper wire")
    for node, data in attributes.nodes(data=True):
        data.update(load=math.nan, name=f"node {node}")
    yield "attributes", attributes


def write_networkx(number, graph):
    """Every format of NetworkX that Lockstep reads."""
    edges, weights = FOLDER / f"{number}.edgelist", FOLDER / f"{number}.txt"
    nx.write_edgelist(graph, edges)
    yield edges
    if all("weight" in data for _, _, data in graph.edges(data=True)):
        nx.write_weighted_edgelist(graph, weights)
        yield weights
    nx.write_graphml(graph, FOLDER / f"{number}.graphml")
    yield FOLDER / f"{number}.graphml"
    nx.write_edgelist(graph, FOLDER / f"{number}.edges.gz", data=False)
    yield FOLDER / f"{number}.edges.gz"
    path = FOLDER / f"{number}.json"
    path.write_text(json.dumps(nx.node_link_data(graph)))
    yield path


def igraph_networks():
    for famous in ("Zachary", "Petersen", "Tutte", "Cubical", "Frucht", "Bull", "House", "Diamond"):
        yield famous, igraph.Graph.Famous(famous)
    yield "ring", igraph.Graph.Ring(9)
    yield "tree", igraph.Graph.Tree(15, 2)
    yield "grid", igraph.Graph.Lattice([4, 3], circular=False)
    yield "torus", igraph.Graph.Lattice([4, 3], circular=True)
    yield "star", igraph.Graph.Star(6)
    yield "full", igraph.Graph.Full(5)
    yield "line", igraph.Graph([(0, 1), (1, 2), (2, 3)])
    yield "arcs", igraph.Graph([(0, 1), (1, 0), (1, 2), (2, 1)], directed=True)
    yield "lanes", igraph.Graph([(0, 1), (0, 1), (1, 2), (2, 0)])
    named_ring = igraph.Graph.Ring(4)
    named_ring.vs["name"] = ["core-1", "leaf.2", "leaf.3", "leaf#4"]
    yield "names", named_ring
    weighted = igraph.Graph.Ring(5)
    weighted.es["weight"] = [1, 2.5, math.inf, 4, 5]
    yield "weights", weighted
    labelled = igraph.Graph.Ring(3)
    labelled.vs["label"] = ["first\nline", "second one", "third"]
    yield "labels", labelled


def of_igraph(graph, names):
    links = [(names[edge.source], names[edge.target]) for edge in graph.es]
    if graph.is_directed():
        links = [link for link in links if link[0] < link[1]]
    return graph_of(names, links)


def write_igraph(number, graph):
    """Each file with the names that the file has."""
    numbers = [str(i) for i in range(graph.vcount())]
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    edges, ncol, xml = (FOLDER / f"i{number}.{ending}" for ending in ("txt", "ncol", "graphml"))
    graph.write_edgelist(str(edges))
    yield edges, numbers
    graph.write_ncol(str(ncol), names="name" if names else None, weights=None)
    yield ncol, names or numbers
    graph.write_graphml(str(xml))
    labels = graph.vs["label"] if "label" in graph.vs.attributes() else names
    yield xml, [" ".join(label.split()) for label in labels or [f"n{i}" for i in numbers]]


def check_again(path, expected, form):
    """The network in our format: read by us, and by NetworkX and igraph with their defaults."""
    text = lockstep(path, form)
    again = path.with_name(f"{path.name}.again.{ {'edges': 'txt', 'node-link': 'json'}.get(form, form)}")
    again.write_text(text)
    if form == "edges":  # numbers in place of names
        names = [data["label"] for _, data in
                 nx.node_link_graph(json.loads(lockstep(path, "node-link"))).nodes(data=True)]
        graph = nx.read_edgelist(again, create_using=nx.MultiGraph, data=False)
        assert of_networkx(graph, lambda _, node: named(names[int(node)])) == expected, again
        assert lockstep(again, form).split("\n", 1)[1] == text.split("\n", 1)[1], again
        return
    assert of_lockstep(again) == expected, again
    if form == "graphml":
        assert of_networkx(nx.read_graphml(again, force_multigraph=True), label_of) == expected, again
        if igraph is not None:
            graph = igraph.Graph.Read_GraphML(str(again))
            assert of_igraph(graph, [named(name) for name in graph.vs["label"]]) == expected, again


def check(path, expected, may_be_refused, form):
    found = of_lockstep(path)
    if found is None:
        assert may_be_refused, f"{path}: refused"
        return 0
    assert found == expected, f"{path}: {found} instead of {expected}"
    check_again(path, expected, form)
    return 1


FORMS = ("edges", "graphml", "node-link")
read = files = 0
for number, (what, graph) in enumerate(networkx_networks()):
    expected = of_networkx(graph)
    labels = what == "attributes"  # its attribute "name" is the name in trees of attributes
    for path in write_networkx(number, graph):
        is_list = "edge" in path.name or path.suffix == ".txt"
        wanted = expected
        if labels and not is_list:
            wanted = of_networkx(graph, lambda graph, node: graph.nodes[node]["name"])
        files += 1
        read += check(path, wanted, is_list and what in ("tuples", "blanks"), FORMS[files % 3])
if igraph is not None:
    for number, (what, graph) in enumerate(igraph_networks()):
        for path, names in write_igraph(number, graph):
            files += 1
            read += check(path, of_igraph(graph, [named(name) for name in names]), False,
                          FORMS[files % 3])
print(f"NetworkX {nx.__version__}{'' if igraph is None else ', igraph ' + igraph.__version__}: "
      f"{read} of {files} files read")
