type Attributes = Readonly<Record<string, string | boolean | undefined | ((event: never) => void)>>;
type Child = Node | string | undefined;

/** Makes an element: attributes by name, listeners as `onclick`, children in order. `true` is an attribute without value. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    // The page's policy forbids the attribute.
    else if (name === 'style') element.style.cssText = value || '';
    else if (typeof value === 'string') element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** One of several things to choose from. */
export const chip = (text: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement =>
  h('button', { class: 'chip', type: 'button', onclick, ...attributes }, text);

/** Closes a menu once the focus has gone elsewhere, as by Tab; not for its button, which closes it by itself. */
export function closeWhenLeft(menu: HTMLElement, button: HTMLElement): void {
  for (const element of [menu, button]) {
    element.addEventListener('focusout', ({ relatedTarget: to }) => {
      if (to instanceof Node && !menu.contains(to) && !button.contains(to)) menu.hidePopover();
    });
  }
}

/** Whether an element is there, to be seen, and of use: browsers take the focus from any other, though not at once. */
export const canHaveFocus = (element: Element | null): boolean =>
  element !== null && element.getClientRects().length > 0 && !element.matches(':disabled');

/** An icon of strokes; the text beside it says what it means. */
export function icon(body: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  svg.innerHTML = body;
  return svg;
}
