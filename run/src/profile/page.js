// Sorts a table by the column whose title is clicked: large figures first, then the other way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const titles = [...table.querySelectorAll("th")];
  titles.forEach((title, column) => title.querySelector("button").addEventListener("click", () => {
    const descending = title.getAttribute("aria-sort") !== "descending";
    titles.forEach((other) => other.removeAttribute("aria-sort"));
    title.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const key = (row) => row.cells[column].dataset.key;
    const compare = (a, b) => {
      const numbers = Number(key(a)) - Number(key(b));
      const order = Number.isNaN(numbers) ? key(a).localeCompare(key(b), "en", { numeric: true }) : numbers;
      return descending ? -order : order;
    };
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort(compare));
  }));
}
// A link to a line opens it.
const open = () => {
  const line = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const details = line === null ? null : line.querySelector("details");
  if (details !== null) { details.open = true; }
};
addEventListener("hashchange", open);
open();
