#pragma once

namespace quoin::html {

/// Plays the frames of the fields and reads their values, from the numbers that reader() put into the page. Without
/// it the last frame is seen.
inline constexpr const char* script = R"(
const find = id => document.getElementById(id);
const data = JSON.parse(find('field-data').textContent);
const last = data.frames.length - 1, columns = data.x.length, rows = data.y.length;
const palette = data.palette.map(colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16)));
const frame = find('frame'), play = find('play'), pick = { x: find('pick-x'), y: find('pick-y') };
const plots = [...document.querySelectorAll('[data-field]')].map(plot => ({
  plot, field: +plot.dataset.field, canvas: plot.appendChild(document.createElement('canvas')),
  ring: plot.appendChild(document.createElement('i')), caption: plot.closest('figure').lastElementChild }));
let timer = 0;

const decoded = data.frames.map(() => []);  // when they are first seen
const values = (k, field) => decoded[k][field] ??= new Float32Array(
  Uint8Array.from(atob(data.frames[k].values[field]), c => c.charCodeAt(0)).buffer);
const number = value => String(Number(value.toPrecision(6)));
const told = value => Number.isNaN(value) ? 'no value' : Number.isFinite(value) ? number(value) : 'not finite';

function paint({ canvas, field }, k) {
  const image = new ImageData(columns, rows), [low, high] = data.ranges[field];
  values(k, field).forEach((value, at) => {
    if (!Number.isFinite(value)) return;
    const place = Math.min(Math.max((value - low) / (high - low), 0), 1) * (palette.length - 1);
    const below = Math.min(Math.floor(place), palette.length - 2), share = place - below;
    const pixel = 4 * ((rows - 1 - Math.floor(at / columns)) * columns + at % columns);
    for (let c = 0; c < 3; ++c)
      image.data[pixel + c] = palette[below][c] + share * (palette[below + 1][c] - palette[below][c]);
    image.data[pixel + 3] = 255;
  });
  canvas.width = columns;
  canvas.height = rows;
  canvas.getContext('2d').putImageData(image, 0, 0);
}

function read() {
  const i = +pick.x.value, j = +pick.y.value, k = +frame.value;
  const at = { x: number(data.x[i]), y: number(data.y[j]) };
  for (const axis in at) pick[axis].setAttribute('aria-valuetext', at[axis]);
  const place = Object.keys(at).filter(axis => data[axis].length > 1).map(axis => `${axis} = ${at[axis]}`);
  find('value').textContent = `${data.frames[k].at}, at ${place.join(', ')}: ` +
    data.fields.map((name, f) => `${name} = ${told(values(k, f)[j * columns + i])}`).join(', ');
  for (const { field, ring, caption } of plots) {
    ring.style.left = `${100 * (i + .5) / columns}%`;
    ring.style.top = `${100 - 100 * (j + .5) / rows}%`;
    caption.textContent = `${data.frames[k].captions[field]}; at the ring ${told(values(k, field)[j * columns + i])}`;
  }
}

function show(k) {
  frame.value = k;
  frame.setAttribute('aria-valuetext', data.frames[k].at);
  find('time').textContent = data.frames[k].at;
  for (const each of plots) {
    each.canvas.hidden = k == last;
    if (k < last) paint(each, k);
    each.plot.previousElementSibling.alt = data.frames[k].captions[each.field];
  }
  read();
}

function run(id) {
  clearInterval(timer);
  timer = id;
  play.textContent = id ? 'Pause' : 'Play';
  find('value').setAttribute('aria-live', id ? 'off' : 'polite');  // a voice would not keep up
}
const stop = () => run(0);

play.onclick = () => {
  if (timer) return stop();
  if (+frame.value == last) show(0);
  run(setInterval(() => { show(+frame.value + 1); if (+frame.value == last) stop(); }, 200));
};
for (const [id, step] of [['back', -1], ['on', 1]])
  find(id).onclick = () => { stop(); show(Math.min(Math.max(+frame.value + step, 0), last)); };
frame.oninput = () => { stop(); show(+frame.value); };
pick.x.oninput = pick.y.oninput = read;
for (const { plot } of plots)
  plot.onpointerdown = plot.onpointermove = event => {
    if (!event.buttons) return;
    const box = plot.getBoundingClientRect();
    const share = (at, size, count) => Math.min(Math.max(Math.floor(at / size * count), 0), count - 1);
    pick.x.value = share(event.clientX - box.left, box.width, columns);
    pick.y.value = share(box.bottom - event.clientY, box.height, rows);
    read();
  };
find('player').hidden = last == 0;
find('reader').hidden = false;
show(last);
)";

}  // namespace quoin::html
