import { describe, expect, it } from 'vitest'
import { Conflict, Invalid, TooManyRequests } from '../../../../../shared/kernel/failures/faults.ts'
import { fill } from '../../../../../shared/kernel/failures/fill-sentence.ts'
import { say } from '../../../../../shared/kernel/failures/sentence.ts'
import { answerFault } from '../../../../../shared/platform/http/routing/answer-fault.ts'

describe('a sentence', () => {
  it.each([
    ['{a} and {a}', { a: 'x' }, 'x and x'],
    ['a {list:or} b', { list: ['x', 'y'] }, 'a x or y b'],
    ['{n} {n:file|files}', { n: 1 }, '1 file'],
    ['{n} {n:file|files}', { n: 2 }, '2 files'],
    ['Gone[ by {name}].', {}, 'Gone.'],
    ['Gone[ by {name}].', { name: 'Ada' }, 'Gone by Ada.'],
    ['Moves:[ to {list}.| nowhere.]', { list: [] }, 'Moves: nowhere.'],
    ['{a}', { a: '{b} [c|d] $& $1' }, '{b} [c|d] $& $1'],
    ['{toString}', {}, ''],
  ])('%j with %j', (template, params, text) => expect(fill(template, params)).toBe(text))

  it('names the first of many values', () => {
    const many = Array.from({ length: 32 }, (_, n) => `v${n}`)
    expect(fill('{many:some}', { many })).toMatch(/^v0, v1, .*, v29 and 2 more$/)
    expect(fill('{many}', { many })).toMatch(/, v31$/)
  })
})

describe('a refusal', () => {
  it('says what is wrong by code and values, beside the messages', () => {
    const { body } = answerFault(new Invalid({ title: [say('too_long', { field: 'title', max: 5 }), 'Not today.'] }))
    expect(body).toEqual({
      success: false,
      code: 'validation_failed',
      message: 'Validation error',
      errors: { title: ['The title may not be greater than 5 characters.', 'Not today.'] },
      field_errors: {
        title: [
          {
            code: 'too_long',
            params: { field: 'title', max: 5 },
            message: 'The title may not be greater than 5 characters.',
          },
          { code: 'custom', params: {}, message: 'Not today.' },
        ],
      },
    })
  })

  it('names its sentence and values where it has such', () => {
    expect(answerFault(new TooManyRequests(30)).body).toEqual({
      success: false,
      code: 'too_many_attempts',
      message: 'Too many attempts. Try again in 30 seconds.',
      reason: 'too_many',
      params: { what: 'attempts', seconds: 30 },
    })
    expect(answerFault(new Conflict('name_taken', 'No.')).body).toEqual({
      success: false,
      code: 'name_taken',
      message: 'No.',
    })
  })

  it('repeats no more of what was sent in its values than in its message', () => {
    const list = Array.from({ length: 500 }, (_, n) => `${n}`.padEnd(5000, 'x'))
    const { field_errors: said } = answerFault(
      new Invalid({ a: [say('not_one_of', { field: 'a', allowed: list })] }),
    ).body
    expect(JSON.stringify(said).length).toBeLessThan(6000)
  })
})
