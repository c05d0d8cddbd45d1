// The tabs: one panel is shown, chosen by click or by the arrow keys. On a telephone the panels are a sheet, which the tab of
// the panel that is shown closes, as Escape does.

import { $ } from "./dom.js";

// Sets up the tabs and returns the function that shows a panel, in an open sheet or not. `shown` is called with the name of a
// panel that is shown.
export function tabPanels(shown: (name: string) => void) {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
  const { classList } = $("panels");
  const show = (name: string, open = true) => {
    classList.toggle("open", open);
    for (const tab of tabs) {
      const panel = tab.getAttribute("aria-controls")!;
      const chosen = panel === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      $(panel).hidden = !chosen;
    }
    shown(name);
  };
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener("click", () => {
      const isOpen = tab.ariaSelected === "true" && classList.contains("open");
      show(tab.getAttribute("aria-controls")!, !isOpen);
    });
    tab.addEventListener("keydown", (event) => {
      const places: Record<string, number> = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 };
      const to = places[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = tabs.at(to % tabs.length)!;
      next.focus();
      next.click();
    });
  }
  $("panels").addEventListener("keydown", (event) => event.key === "Escape" && classList.remove("open"));
  return show;
}
