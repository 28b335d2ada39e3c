import '../../../../../../infra/local/dynamodb/expressions/expression-cache.ts'
import { describe, expect, it } from 'vitest'
import { parsers, type ParserContext } from '../../../../../../infra/local/dynamodb/dynalite.ts'

const context = (attrNames: Record<string, string>, attrVals: ParserContext['attrVals'] = {}): ParserContext => ({
  attrNames,
  attrVals,
  unusedAttrNames: Object.fromEntries(Object.keys(attrNames).map((name) => [name, true])),
  unusedAttrVals: Object.fromEntries(Object.keys(attrVals).map((name) => [name, true])),
})

/** How many expressions were parsed. */
let parsed = 0

function update(text: string, names: Record<string, string>, values: ParserContext['attrVals'] = {}) {
  const own = {
    ...context(names, values),
    // Only the parser asks for it.
    get isReserved() {
      parsed += 1
      return () => false
    },
  }
  const tree = parsers.update.parse(text, { context: own })
  return { tree: JSON.parse(JSON.stringify(tree)), own }
}

describe('parsed expressions', () => {
  it('are filled with the names and values of each request', () => {
    const first = update(
      'SET #open_a = #next + :n REMOVE #old',
      { '#open_a': 'open_a', '#next': 'next', '#old': 'x' },
      { ':n': { N: '1' } },
    )
    const second = update(
      'SET #open_b = #next + :n REMOVE #gone',
      { '#open_b': 'open_b', '#next': 'next', '#gone': 'y' },
      { ':n': { N: '2' } },
    )
    expect(JSON.stringify(second.tree)).toBe(
      JSON.stringify(first.tree)
        .replaceAll('open_a', 'open_b')
        .replaceAll('"x"', '"y"')
        .replaceAll('"N":"1"', '"N":"2"'),
    )
    expect(second.own).toMatchObject({ unusedAttrNames: {}, unusedAttrVals: {} })
  })

  it('are parsed once, however their placeholders are called', () => {
    const marks = (name: string) =>
      update(`ADD #${name} :one, #total :one`, { [`#${name}`]: name, '#total': 'total' }, { ':one': { N: '1' } })
    marks('a1')
    parsed = 0
    for (let index = 2; index < 50; index += 1) expect(marks(`a${index}`).tree.sections[0].path).toEqual([`a${index}`])
    expect(parsed).toBe(0)
    marks('total')
    expect(parsed).toBeGreaterThan(0)
  })

  it('report names that mean the same attribute, and one that the text names too', () => {
    const values = { ':a': { N: '1' }, ':b': { N: '2' } }
    const text = 'SET #a = :a, #b = :b'
    expect(update(text, { '#a': 'x', '#b': 'y' }, values).tree.sections).toHaveLength(2)
    expect(update(text, { '#a': 'x', '#b': 'x' }, values).tree).toMatch(/Two document paths overlap/)
    expect(update('SET #a = :a, y = :b', { '#a': 'x' }, values).tree.sections).toHaveLength(2)
    expect(update('SET #a = :a, y = :b', { '#a': 'y' }, values).tree).toMatch(/Two document paths overlap/)
  })

  it('report names and values that are not given, as they are written', () => {
    expect(update('SET #status = :new', {}, { ':new': { S: 'x' } }).tree).toMatch(
      /not defined; attribute name: #status/,
    )
    expect(update('SET #status = :new', { '#status': 's' }).tree).toMatch(/not defined; attribute value: :new/)
  })

  it('leave what they do not use as unused', () => {
    const { own } = update('SET #a = :a', { '#a': 'x', '#other': 'y' }, { ':a': { N: '1' }, ':more': { N: '1' } })
    expect(own).toMatchObject({ unusedAttrNames: { '#other': true }, unusedAttrVals: { ':more': true } })
  })
})
