// Loads the door's page for phones, which is large, only where it is.

const place = document.querySelector<HTMLElement>('[data-enhance="door"]');
if (place !== null) void import("./start-door.tsx").then(({ startDoor }) => startDoor(place));
