/** Donate goes straight to the donation for somebody logged in, else by way of the login page (NAV-6). */
export function startDonateLinks(): void {
  pointLinks();
  // A page that comes back from the browser's memory may find another session.
  addEventListener("pageshow", pointLinks);
}

function pointLinks() {
  const isLoggedIn = hasUser();
  for (const link of document.querySelectorAll("[data-donate]")) {
    link.setAttribute("href", isLoggedIn ? "/donation" : "/login?return=%2Fdonation");
  }
}

function hasUser(): boolean {
  try {
    return sessionStorage.getItem("user") !== null;
  } catch {
    return false; // storage is switched off
  }
}
