// Another picture is chosen: the parameters as the sliders stand now go along, not those the page
// was made with. The figures keep them in the address.

const form = document.querySelector("[data-explore]");

form?.addEventListener("submit", () => {
  dispatchEvent(new Event("figure:write")); // what the figures have not written yet
  for (const field of form.querySelectorAll("[data-kept]")) field.remove();
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (!name.includes(".")) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    field.dataset.kept = "";
    form.append(field);
  }
});
