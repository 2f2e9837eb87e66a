/**
 * Records drawing commands as the `d` attribute of an SVG path. Supports half and full circles only, which suffices for
 * gates.
 */
import type { Pen } from './symbols'

export class SvgPen implements Pen {
  d = ''
  moveTo(x: number, y: number): void {
    this.d += `M${tidy(x)} ${tidy(y)}`
  }
  lineTo(x: number, y: number): void {
    this.d += `L${tidy(x)} ${tidy(y)}`
  }
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.d += `Q${tidy(cx)} ${tidy(cy)} ${tidy(x)} ${tidy(y)}`
  }
  arc(x: number, y: number, radius: number, start: number, end: number): void {
    const half = (angle: number) =>
      `A${tidy(radius)} ${tidy(radius)} 0 0 1 ${tidy(x + radius * Math.cos(angle))} ${tidy(y + radius * Math.sin(angle))}`
    for (let angle = start + Math.PI; angle <= end + 1e-6; angle += Math.PI) this.d += half(angle)
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.d += `M${tidy(x)} ${tidy(y)}h${tidy(width)}v${tidy(height)}h${tidy(-width)}z`
  }
  roundRect(x: number, y: number, width: number, height: number): void {
    this.rect(x, y, width, height)
  }
  closePath(): void {
    this.d += 'z'
  }
}

const tidy = (v: number) => Number(v.toFixed(2))
