// Tables and code that are wider than the page can be scrolled with the keyboard; others are no stop on the way.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
addEventListener('DOMContentLoaded', () => {
  for (const box of document.querySelectorAll('.tsd-typography table, pre, .tsd-signature'))
    observer.observe(box);
});
