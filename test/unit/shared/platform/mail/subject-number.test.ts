import { describe, expect, it } from 'vitest'
import { numbersIn, subjectNumberForm, withNumber } from '../../../../../shared/platform/mail/subject-number.ts'

describe('the number of a record in subjects', () => {
  it('is read alone or behind a name, wherever it is, each once', () => {
    expect(numbersIn('Re: [#84] Door closer')).toEqual([84])
    expect(numbersIn('AW: WG: [Desk #84] Door (was: [#7]) [#84]')).toEqual([84, 7])
    expect(numbersIn('Invoice #84, [84], [#requests-84-abcdefgh], [#0]')).toEqual([])
  })

  it('is written behind the Re:, once, in the form of the setting, and nowhere without one', () => {
    expect(withNumber('Re: Door', '[#]', 84)).toBe('Re: [#84] Door')
    expect(withNumber('Door', '[Desk #]', 84)).toBe('[Desk #84] Door')
    expect(withNumber('RE: [#84] Door', '[Desk #]', 84)).toBe('RE: [#84] Door')
    expect(withNumber('Re:', '[#]', 84)).toBe('Re: [#84]')
    expect(withNumber('Re: Door', undefined, 84)).toBe('Re: Door')
  })

  it('has a form that answers are recognised by', () => {
    for (const form of ['[#]', '[Desk #]', '[Help desk A/B #]']) {
      expect(form).toMatch(subjectNumberForm)
      expect(numbersIn(withNumber('Door', form, 84))).toEqual([84])
    }
    for (const form of ['#', '[]', '[Desk]', '[De#sk #]', '[#] ', '[a\n #]'])
      expect(form).not.toMatch(subjectNumberForm)
  })
})
