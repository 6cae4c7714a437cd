// Says times by the clocks of the reader. What they are in UTC is shown on hover. Without it they are in UTC, and say so.

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "full" });

for (const time of document.querySelectorAll("time[data-local]")) {
  time.title = time.textContent;
  time.textContent = format.format(new Date(time.dateTime));
}

// A form with days says whose they are.
const { timeZone } = format.resolvedOptions();
for (const zone of document.querySelectorAll("[data-zone]")) {
  if (zone instanceof HTMLInputElement) zone.value = timeZone;
  else zone.textContent = timeZone;
}

// A list by days in UTC becomes one by days of the reader.
for (const list of document.querySelectorAll("[data-by-day]")) {
  const days = Map.groupBy(list.querySelectorAll(":scope > ol > li"), (row) =>
    dayFormat.format(new Date(row.querySelector(":scope > :last-child time").dateTime)),
  );
  const parts = [...days].flatMap(([day, rows]) => {
    const heading = document.createElement("h2");
    heading.textContent = day;
    const ordered = document.createElement("ol");
    ordered.className = "rows";
    ordered.append(...rows);
    return [heading, ordered];
  });
  list.replaceChildren(...parts);
}
