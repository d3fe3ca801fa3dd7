// Times in the reader's own zone: the server writes UTC, and says so where this script does not run.
// The zone stands where the page said UTC, or "your time" where a browser has no short name for it.

// As the server writes dates, "26 Nov 2026, 15:28": two ways of writing one would be two clocks.
const format = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});

function zone(date) {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(date);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "your time";
}

export function tell(root = document) {
  for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    time.title = `${time.textContent.trim()} UTC`;
    time.textContent = format.format(date);
    time.dataset.local = "";
  }
  for (const name of root.querySelectorAll("[data-zone]")) name.textContent = zone(new Date());
}

tell();
document.body.addEventListener("htmx:afterSettle", () => tell());
