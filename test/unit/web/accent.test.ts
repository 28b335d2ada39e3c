import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accentOf, contrast } from '../../../web/shell/accent.ts'

const surfaces = { light: ['#ffffff', '#f6f7f9', '#eef1f6'], dark: ['#1c2028', '#14171d', '#262b35'] } as const
const color = fc.integer({ min: 0, max: 0xffffff }).map((one) => `#${one.toString(16).padStart(6, '0')}`)

describe('the accent color of a company', () => {
  it('counts contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 1)
  })

  it('is without one in shades that follow the same rule', () => {
    const theme = readFileSync(new URL('../../../web/shell/theme.css', import.meta.url), 'utf8')
    const [, accent = '', text = ''] =
      /--accent: var\(--company-fill-light, (#\w+)\)[^]*?--accent-text: var\(--company-text-light, (#\w+)\)/.exec(
        theme,
      ) ?? []
    expect(text).toBe(accentOf(accent, 'light').text)
  })

  it('stays as it is where it can be read', () => {
    expect(accentOf('#2f5fd0', 'light')).toMatchObject({ fill: '#2f5fd0', onFill: '#ffffff' })
    expect(accentOf('#ffd500', 'light')).toMatchObject({ fill: '#ffd500', onFill: '#000000' })
    expect(accentOf('#ffd500', 'dark')).toMatchObject({ fill: '#ffd500', onFill: '#000000', text: '#ffd500' })
  })

  it.each(['light', 'dark'] as const)('can be read in %s, whatever it is', (scheme) => {
    fc.assert(
      fc.property(color, (given) => {
        const { fill, onFill, hover, text } = accentOf(given, scheme)
        expect(contrast(fill, onFill)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(hover, onFill)).toBeGreaterThanOrEqual(4.5)
        for (const surface of surfaces[scheme]) {
          expect(contrast(fill, surface)).toBeGreaterThanOrEqual(1.2)
          expect(contrast(text, surface)).toBeGreaterThanOrEqual(4.5)
        }
      }),
    )
  })
})
