// SPDX-License-Identifier: Apache-2.0
"use strict";
(() => {
  // A text beside the pointer, or beside the mark that the arrow keys have reached.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  const show = (mark) => {
    const box = mark.getBoundingClientRect();
    tip.textContent = mark.dataset.text;
    tip.hidden = false;
    const left = Math.min(box.right + 8, innerWidth - tip.offsetWidth - 4);
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = Math.max(4, box.top - tip.offsetHeight - 6) + "px";
  };
  for (const plot of document.querySelectorAll("svg.plot")) {
    const marks = [];
    for (const title of plot.querySelectorAll("title")) {
      const mark = title.parentElement;
      mark.dataset.text = title.textContent;
      title.remove();  // or the browser shows it as well
      marks.push(mark);
      mark.addEventListener("pointerenter", () => show(mark));
      mark.addEventListener("pointerleave", () => { tip.hidden = true; });
    }
    let place = -1;
    const choose = (next) => {
      if (!marks.length) return;
      if (place >= 0) marks[place].classList.remove("chosen");
      place = next;
      if (place < 0) { tip.hidden = true; return; }
      marks[place].classList.add("chosen");
      show(marks[place]);
    };
    plot.addEventListener("keydown", (event) => {
      const last = marks.length - 1;
      const to = { ArrowRight: Math.min(place + 1, last), ArrowLeft: Math.max(place - 1, 0),
                   Home: 0, End: last, Escape: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to);
    });
    plot.addEventListener("blur", () => choose(-1));
  }
  // A plot that was also drawn on other scales.
  for (const figure of document.querySelectorAll("figure")) {
    const plots = figure.querySelectorAll("svg.plot");
    if (plots.length < 2) continue;
    const button = document.createElement("button");
    button.className = "scale";
    const name = () => {
      button.textContent = "Show on " + plots[plots[0].hasAttribute("hidden") ? 0 : 1].dataset.scale + " axes";
    };
    button.addEventListener("click", () => {
      for (const plot of plots) plot.toggleAttribute("hidden");
      name();
    });
    name();
    plots[plots.length - 1].after(button);
  }
  // Tables are sorted by the column whose heading is pressed.
  for (const table of document.querySelectorAll("table")) {
    const body = table.tBodies[0];
    if (!body || body.rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
        const rows = [...body.rows].sort((a, b) => {
          const [x, y] = [key(a), key(b)];
          const numbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
          return numbers ? x - y : x.localeCompare(y);
        });
        body.append(...(down ? rows.reverse() : rows));
      });
    });
  }
})();
