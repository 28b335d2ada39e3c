import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestWord, openSuggestions } from '../../../../../shared/kernel/text/did-you-mean.ts'

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

  it('is looked for as if every distance were counted to its end', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (given, words) => {
        const distances = words.map((one) => wholeDistance(given, one))
        const least = Math.min(...distances)
        const isNear = least <= Math.max(1, Math.floor(given.length / 3))
        expect(nearestWord(given, words)).toBe(isNear ? words[distances.indexOf(least)] : undefined)
      }),
    )
  })

  it('is looked for for the first wrong names of a request only', () => {
    const nearest = openSuggestions()
    const found = Array.from({ length: 1000 }, () => nearest('titel', known))
    expect(found.filter((one) => one === 'title')).toHaveLength(20)
    expect(found.at(-1)).toBeUndefined()
  })
})

/** The definition, letter by letter (optimal string alignment). */
function wholeDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const [shortA, shortB] = [a.slice(0, -1), b.slice(0, -1)]
  const isSwapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
  return Math.min(
    wholeDistanceOnce(shortA, b) + 1,
    wholeDistanceOnce(a, shortB) + 1,
    wholeDistanceOnce(shortA, shortB) + (a.at(-1) === b.at(-1) ? 0 : 1),
    isSwapped ? wholeDistanceOnce(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity,
  )
}

const distances = new Map<string, number>()
function wholeDistanceOnce(a: string, b: string): number {
  const kept = distances.get(`${a} ${b}`)
  const distance = kept ?? wholeDistance(a, b)
  distances.set(`${a} ${b}`, distance)
  return distance
}
