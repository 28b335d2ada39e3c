import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const foldersOf = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'node_modules' ? [entry.name] : [],
  )
const houses = [...foldersOf('shared').flatMap((wing) => (wing === 'client' ? [] : [`shared/${wing}`])), 'web']

describe('the README of', () => {
  it.each(houses)('%s says what each of its rooms is for', (house) => {
    const readme = readFileSync(join(root, house, 'README.md'), 'utf8')
    const rooms = foldersOf(house)
    const named = new Set([...readme.matchAll(/`([a-z-]+)\/[a-z-/]*`/g)].map(([, room]) => room))
    expect(rooms.filter((room) => !named.has(room))).toEqual([])
  })
})

describe('the page of an idea', () => {
  it.each(readdirSync(join(root, 'docs/ideas')))('%s fits on a screen', (page) => {
    const text = readFileSync(join(root, 'docs/ideas', page), 'utf8')
    expect(text.split('\n').length).toBeLessThan(60)
  })
})
