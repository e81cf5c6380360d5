// A number takes a choice of the first difference that is open; m marks the message anew.
document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "m") document.querySelector("#edit").click();
  if (!/^[1-9]$/.test(event.key)) return;
  const stretch = document.querySelector(".stretch.now") ?? document.querySelector(".stretch");
  stretch?.querySelectorAll("button")[Number(event.key) - 1]?.click();
});

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
