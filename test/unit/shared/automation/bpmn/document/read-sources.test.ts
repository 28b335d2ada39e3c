import { describe, expect, it } from 'vitest'
import {
  readsOfExpression,
  readsOfScript,
  readsOfText,
} from '../../../../../../shared/automation/bpmn/document/read-sources.ts'

describe('what goes into an expression', () => {
  it.each([
    ['record.secret', ['record.secret']],
    ['record["secret"] + old.title', ['record.secret', 'record.title']],
    ['`${record.secret} of ${user.name}`', ['record.secret']],
    ['answer + variables.level', ['variables.answer', 'variables.level']],
    ['tasks.ask.amount', ['tasks.ask']],
    ['Object.keys(tasks)', ['tasks.*']],
    ['task.outcome', []],
    ['task.name', ['names']],
    ['loop.index + loop.item', ['items']],
    ['$user.name + $context.id', []],
    ['1 + Math.max(2, 3)', []],
    // Over-cautious: which members are used cannot be told.
    ['record', ['*']],
    ['record["sec" + "ret"]', ['*']],
    ['(({ secret }) => secret)(record)', ['*']],
    ['$user.org_units', ['*']],
    ['$api.find("deeds", 1)', ['*']],
    ['eval("record.secret")', ['*']],
    ['[].constructor.constructor("return record.secret")()', ['*']],
    ['not an expression', ['*']],
  ])('%s', (source, reads) => expect([...readsOfExpression(source)].toSorted()).toEqual(reads))

  it('in FEEL is the names that it uses, and no text', () => {
    const reads = readsOfExpression('= if record.secret > 3 then level else "record.other"')
    expect(reads).toEqual(expect.arrayContaining(['record.secret', 'variables.level']))
    expect(reads).not.toContain('record.other')
    expect(readsOfText('${= get value(record, "secret")}')).toEqual(['*'])
  })
})

describe('what goes into a text', () => {
  it.each([
    [undefined, []],
    ['Check the deed', []],
    ['Check ${record.secret} of ${variables.whom}', ['record.secret', 'variables.whom']],
    ['A name with ${ that is not closed', []],
  ])('%s', (text, reads) => expect([...readsOfText(text)].toSorted()).toEqual(reads))
})

describe('a script', () => {
  it.each<[string, readonly string[], readonly string[] | undefined]>([
    ['variables.level = record.amount > 3', ['record.amount', 'variables.level'], ['level']],
    ['return record.title', ['record.title'], []],
    ['$api.log("x"); variables.a = 1', ['variables.a'], ['a']],
    // Any variable may be changed, by anything.
    ['Object.assign(variables, { a: record.secret })', ['*'], undefined],
    ['globalThis.variables.a = 1', ['*'], undefined],
    ['$data.title = "x"', ['*'], undefined],
    ['this is no script', ['*'], undefined],
  ])('%s', (script, reads, changes) => {
    const found = readsOfScript(script)
    expect([[...found.reads].toSorted(), found.changes]).toEqual([reads, changes])
  })
})
