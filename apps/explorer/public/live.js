// Keeps a page of the explorer current: the height in its head, the times, and on the front page all that changes.
const tip = document.getElementById('tip');
const state = document.getElementById('state');
const live = document.getElementById('live');
const MINUTE = 60;
const UNITS = [
  [86_400 * 3, 'days', 86_400],
  [3600 * 2, 'hours', 3600],
  [MINUTE * 2, 'minutes', MINUTE],
];

/** Returns how long ago a time was, in words. */
function ago(seconds) {
  const age = Math.max(0, Math.floor(Date.now() / 1000 - seconds));
  const [, unit, size] = UNITS.find(([from]) => age >= from) ?? [
    0,
    age === 1 ? 'second' : 'seconds',
    1,
  ];
  return `${Math.floor(age / size)} ${unit} ago`;
}

function showTimes() {
  for (const element of document.querySelectorAll('time[data-at]')) {
    element.textContent = ago(Number(element.dataset.at));
  }
}

/** When each block that is shown and came since the page was opened arrived: milliseconds of `performance.now()`, by id. */
let arrived = new Map();

/** Marks the blocks that came since the page was opened. One that was marked before goes on where its animation was. */
function markNew(cards, known) {
  const now = performance.now();
  const still = new Map();
  for (const card of cards) {
    const { id } = card.dataset;
    if (known.has(id) && !arrived.has(id)) continue;
    const at = arrived.get(id) ?? now;
    still.set(id, at);
    card.classList.add('new');
    card.style.setProperty('--arrived', `${Math.round(at - now)}ms`);
  }
  arrived = still;
}

/** Puts the new part of the page in place of the old one. */
async function refresh() {
  const response = await fetch('/live');
  if (!response.ok) return;
  const known = new Set(
    [...live.querySelectorAll('.card[data-id]')].map(({ dataset }) => dataset.id),
  );
  const left = live.querySelector('.strip')?.scrollLeft ?? 0;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  markNew(fresh.querySelectorAll('.card[data-id]'), known);
  live.replaceChildren(...fresh.body.childNodes);
  const strip = live.querySelector('.strip');
  if (strip !== null) strip.scrollLeft = left;
  showTimes();
}

let busy = false;
let again = false;
/** One request at a time; what changes meanwhile is asked for afterwards. */
async function refreshSoon() {
  if (live === null) return;
  again = true;
  if (busy) return;
  busy = true;
  while (again) {
    again = false;
    await refresh().catch(() => undefined);
  }
  busy = false;
}

const events = new EventSource('/events');
events.addEventListener('open', () => (state.dataset.state = 'live'));
events.addEventListener('error', () => (state.dataset.state = 'lost'));
events.addEventListener('change', ({ data }) => {
  const { height } = JSON.parse(data);
  tip.textContent = Math.max(0, height).toLocaleString('en');
  void refreshSoon();
});
showTimes();
setInterval(showTimes, 1000);
