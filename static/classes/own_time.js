// Deadlines on the reader's own clock, beside the class's, where the two show another time.
// The server wrote the words of the class's zone, and `datetime` with its offset.

const own = new Intl.DateTimeFormat("en-GB", {
  weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit",
});

export function sayOwnTimes(root = document) {
  for (const time of root.querySelectorAll("time[data-class-time]")) {
    const at = new Date(time.dateTime);
    const said = time.parentElement?.querySelector("[data-own-time]");
    if (Number.isNaN(at.getTime()) || !said) continue;
    const parts = Object.fromEntries(own.formatToParts(at).map((part) => [part.type, part.value]));
    const clock = `${parts.hour}:${parts.minute}`;
    const [day, wall] = time.dateTime.split("T");
    const offset = -at.getTimezoneOffset();
    const theirs = time.dateTime.match(/([+-])(\d\d):?(\d\d)$/);
    const minutes = theirs ? (theirs[1] === "-" ? -1 : 1) * (60 * theirs[2] + Number(theirs[3])) : 0;
    if (offset === minutes) continue;
    const sameDay = Number(parts.day) === Number(day.slice(8)) && wall;
    said.textContent = sameDay
      ? ` (${clock} your time)`
      : ` (${parts.weekday} ${parts.day} ${parts.month}, ${clock} your time)`;
    said.hidden = false;
  }
}

sayOwnTimes();
