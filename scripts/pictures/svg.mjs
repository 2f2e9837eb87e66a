// Charts as SVG text: bars of ratios, and learning curves. Colors follow the reader's color scheme.

const style = `<style>
  text { font: 13px system-ui, sans-serif; fill: #16211e }
  .muted { fill: #5b6b65 } .grid { stroke: #d5ddd8 } .bar, .dot { fill: #c96f12 } .line { stroke: #c96f12; fill: none; stroke-width: 2 }
  .second { stroke: #2f7fb8; fill: none; stroke-width: 2 } .second-text { fill: #2f7fb8 } .goal { stroke: #5b6b65; stroke-dasharray: 4 4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e3eae6 } .muted { fill: #98a8a1 } .grid { stroke: #2a3633 } .bar, .dot { fill: #f5b55a } .line { stroke: #f5b55a }
    .second { stroke: #5bb6e8 } .second-text { fill: #5bb6e8 } .goal { stroke: #98a8a1 }
  }
</style>`

const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const text = (x, y, content, attributes = '') =>
  `<text x="${x}" y="${y}" ${attributes}>${escape(content)}</text>`
const line = (x1, y1, x2, y2, name) => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${name}"/>`

const svg = (width, height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
<title>${escape(title)}</title>
${style}
${parts.join('\n')}
</svg>
`

/** Format of ratios: three significant digits, such as 1.00 and 106. */
const digits = { minimumSignificantDigits: 3, maximumSignificantDigits: 3 }

const short = (value) => {
  const size = Math.abs(value)
  if (size >= 1e9) return `${+(value / 1e9).toPrecision(3)}G`
  if (size >= 1e6) return `${+(value / 1e6).toPrecision(3)}M`
  if (size >= 1e3) return `${+(value / 1e3).toPrecision(3)}k`
  return `${+value.toPrecision(3)}`
}

/**
 * Returns a chart of horizontal bars on a logarithmic scale: `rows` of `{ label, rival, ratio }`, where 1 is the
 * rival's speed.
 */
export function ratioBars(title, rows) {
  const [width, left, top, step] = [880, 430, 46, 30]
  const height = top + rows.length * step + 34
  const largest = Math.max(...rows.map(({ ratio }) => ratio), 10)
  const scale = (ratio) =>
    left + (Math.log10(Math.max(ratio, 0.5) / 0.5) / Math.log10(largest / 0.5)) * (width - left - 90)
  const parts = [text(0, 20, title, 'font-weight="600"')]
  for (const tick of [1, 10, 100, 1000].filter((tick) => tick <= largest)) {
    parts.push(line(scale(tick), top - 6, scale(tick), height - 26, tick === 1 ? 'goal' : 'grid'))
    parts.push(text(scale(tick), height - 8, `${tick}×`, 'class="muted" text-anchor="middle"'))
  }
  rows.forEach(({ label, rival, ratio }, i) => {
    const y = top + i * step
    parts.push(text(left - 12, y + 15, `${label} · ${rival}`, 'text-anchor="end"'))
    const [from, to] = [scale(1), scale(ratio)].sort((a, b) => a - b)
    parts.push(
      `<rect x="${from}" y="${y + 3}" width="${Math.max(2, to - from)}" height="16" rx="2" class="bar"/>`,
    )
    parts.push(text(Math.max(from, to) + 8, y + 16, `${ratio.toLocaleString('en', digits)}×`))
  })
  return svg(width, height, title, parts)
}

/** Returns round numbers that divide the range from `low` to `high` into about four parts. */
function ticks(low, high) {
  const raw = (high - low) / 4
  const power = 10 ** Math.floor(Math.log10(raw))
  const size = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw)
  const found = []
  for (let tick = Math.ceil(low / size) * size; tick <= high + size * 1e-6; tick += size) found.push(tick)
  return found
}

/**
 * Returns a chart of a learning curve: `series` of one or two `{ label, points: [x, y][] }`, and horizontal lines
 * `goals` of `{ label, value }`. `axes`: names of x and y.
 */
export function learningCurve(title, axes, series, goals = [], logarithmic = false) {
  const [width, height, left, right, top, bottom] = [760, 300, 64, 130, 40, 40]
  const map = logarithmic ? (value) => Math.log10(Math.max(value, 1e-3)) : (value) => value
  const all = series.flatMap(({ points }) => points)
  const values = [...all.map(([, y]) => map(y)), ...goals.map(({ value }) => map(value))]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const end = Math.max(...all.map(([x]) => x))
  const x = (value) => +(left + (value / end) * (width - left - right)).toFixed(1)
  const y = (value) =>
    +(top + (1 - (map(value) - low) / (high - low || 1)) * (height - top - bottom)).toFixed(1)
  const parts = [text(0, 18, title, 'font-weight="600"')]
  for (const tick of ticks(low, high)) {
    const value = logarithmic ? 10 ** tick : tick
    parts.push(line(left, y(value), width - right, y(value), 'grid'))
    parts.push(text(left - 8, y(value) + 4, short(value), 'class="muted" text-anchor="end"'))
  }
  for (const tick of ticks(0, end))
    parts.push(text(x(tick), height - bottom + 20, short(tick), 'class="muted" text-anchor="middle"'))
  parts.push(text(width - right, height - 4, axes.x, 'class="muted" text-anchor="end"'))
  parts.push(text(0, top - 6, axes.y, 'class="muted"'))
  for (const { label, value } of goals) {
    parts.push(line(left, y(value), width - right, y(value), 'goal'))
    parts.push(text(width - right + 8, y(value) + 4, label, 'class="muted"'))
  }
  series.forEach(({ label, points }, i) => {
    const path = points.map(([px, py], at) => `${at ? 'L' : 'M'}${x(px)} ${y(py)}`).join('')
    parts.push(`<path d="${path}" class="${i ? 'second' : 'line'}"/>`)
    // A single series is named by the y axis.
    const name = i ? 'class="second-text"' : ''
    if (series.length > 1) parts.push(text(width - right + 8, y(points.at(-1)[1]) + 4, label, name))
  })
  return svg(width, height, title, parts)
}
