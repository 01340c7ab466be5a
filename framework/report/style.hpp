#pragma once

namespace quoin::html {

/// Charts have no ground of their own and follow the colours of the page (see theme.hpp).
inline constexpr const char* style = R"(
:root { --text: #1f2937; --faint: #5b6470; --line: #dfe3e8; --page: #f6f7f9; --card: #fff; --code: #f1f3f5;
  --good: #1a6e3c; --fair: #8a5300; --bad: #b3261e; --going: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e5e7eb; --faint: #a5adb8; --line: #3a414b; --page: #15181c; --card: #1e2228; --code: #262b32;
    --good: #6fd08c; --fair: #f0b35a; --bad: #ff8f85; --going: #7cb8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem min(1rem, 3vw); max-width: 64rem; color: var(--text); background: var(--page);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.15rem; margin: 0 0 .75rem; } h3 { font-size: 1rem; margin: 1rem 0 .5rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem min(1rem, 3vw); margin: 1rem 0; }
.status { font-weight: 600; border-left: .35rem solid; padding: .25rem .75rem; margin: .75rem 0; }
.converged, .completed { color: var(--good); } .not_converged, .stagnated, .max_steps, .interrupted { color: var(--fair); }
.diverged, .failed, .killed { color: var(--bad); } .running { color: var(--going); }
.note, figcaption, dt { color: var(--faint); } .note { margin: .5rem 0; }
p.lead { margin: .25rem 0; color: var(--faint); }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 8.5rem), 1fr)); gap: .75rem 1rem; margin: 0; }
dt { font-size: .85rem; } dd { margin: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; align-items: start; }
figure { margin: 0; } figcaption { font-size: .9rem; }
.drawing { position: relative; max-width: 30rem; margin: 0 auto; } img { display: block; width: 100%; height: auto; }
[data-field] { position: absolute; cursor: crosshair; overflow: hidden; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; background: var(--card); }
i { position: absolute; width: 15px; height: 15px; margin: -7.5px; border: 2px solid #fff; border-radius: 50%; outline: 1px solid #000; }
.player { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .5rem;
  padding: .25rem 0; background: var(--card); }
.player label { flex: 1 1 9rem; max-width: 30rem; display: flex; gap: .5rem; } .player input { flex: 1; min-width: 0; }
button { font: inherit; min-width: 2.5rem; min-height: 2rem; } #play { width: 5rem; } [hidden] { display: none !important; }
a { color: var(--going); } :focus-visible { outline: 3px solid var(--going); outline-offset: 2px; }
.wide { overflow-x: auto; margin: .75rem 0; }
table { overflow-wrap: normal; border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .4rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child { text-align: left; } thead th { color: var(--faint); font-weight: 600; } tbody th { font-weight: inherit; }
caption { text-align: left; color: var(--faint); white-space: nowrap; padding: 0 .4rem; }
pre { background: var(--code); padding: .75rem; border-radius: .35rem; margin: .5rem 0 0; font-size: .85rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; font-weight: 600; }
@media print {
  :root { --text: #000; --faint: #444; --line: #bbb; --page: #fff; --card: #fff; --code: #fff;
    --good: #1a6e3c; --fair: #8a5300; --bad: #b3261e; --going: #0b5cad; }
  img { color-scheme: light; } .player, #reader { display: none; }
  body { max-width: none; padding: 0; font-size: 11pt; } section { border: 0; padding: 0; }
  .charts { grid-template-columns: 1fr 1fr; } figure, tr, dl div { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .wide { overflow: visible; } table { font-size: 8pt; } th, td { padding: .2rem .35rem; }
  th { white-space: normal; }
  details:not([open]) > :not(summary) { display: none; }
}
)";

}  // namespace quoin::html
