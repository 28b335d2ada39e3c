import { describe, expect, it } from 'vitest'
import { nearestWord } from '../../../../../shared/kernel/text/nearest-word.ts'

const known = ['title', 'priority', 'client_id', 'status', 'state', 'due']

describe('the nearest word', () => {
  it.each([
    ['titel', 'title'],
    ['titles', 'title'],
    ['prioritty', 'priority'],
    ['clientid', 'client_id'],
    ['stat', 'state'],
    ['deu', 'due'],
    ['title', 'title'],
  ])('of %s is %s', (word, nearest) => expect(nearestWord(word, known)).toBe(nearest))

  it.each(['colour', 'x', '', 'identity_of_client'])('of %j is none of them', (word) =>
    expect(nearestWord(word, known)).toBeUndefined(),
  )

  it('is the first of several that are equally near', () => {
    expect(nearestWord('cat', ['bat', 'car'])).toBe('bat')
    expect(nearestWord('cat', [])).toBeUndefined()
  })
})
