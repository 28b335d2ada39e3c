import { describe, expect, it } from 'vitest'
import { readPlace } from '../../../web/record/process/read-place.ts'
import { readVariables } from '../../../web/record/process/read-variables.ts'

describe('typed variables of a process', () => {
  const before = { discount: null, note: 'Friendly', parts: [1, 2] }

  it.each([
    ['{ "discount": 5, "note": "Friendly", "parts": [1, 2] }', { set: { discount: 5 }, remove: [] }],
    ['{ "discount": null, "parts": [2, 1], "toString": 1 }', { set: { parts: [2, 1], toString: 1 }, remove: ['note'] }],
    ['', { set: {}, remove: ['discount', 'note', 'parts'] }],
  ])('%s sets and removes what differs', (typed, wanted) => expect(readVariables(typed, before)).toEqual(wanted))

  it.each([
    ['{ "discount": 5, ', 'json'],
    ['[1]', 'object'],
    ['null', 'object'],
  ])('%s is refused', (typed, problem) => expect(readVariables(typed, before)).toEqual({ problem }))
})

describe('where a process stands in its picture', () => {
  const drawn = (shape: string): string =>
    `<svg viewBox="-10 20 400 200" width="400">\n<g class="is-done" data-element="a"><rect x="0" y="30"/></g>\n${shape}\n</svg>`

  it.each([
    ['an activity', '<g class="is-active" data-element="b"><title>B</title><rect class="shape" x="190" y="120"/></g>'],
    ['an event', '<g class="is-active" data-element="b"><circle class="shape" cx="190" cy="120" r="18"/></g>'],
    ['a gateway', '<g class="is-failed" data-element="b"><path class="shape" d="M190 120L200 130Z"/></g>'],
  ])('is the place of %s', (_, shape) => expect(readPlace(drawn(shape))).toEqual({ width: 400, x: 0.5, y: 0.5 }))

  it('is nowhere when it has ended', () => expect(readPlace(drawn(''))).toEqual({ width: 400 }))
})
