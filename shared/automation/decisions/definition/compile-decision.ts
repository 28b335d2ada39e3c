import { maxDecisionCells, maxDecisionInputs, maxDecisionsOfDocument } from '../../../kernel/limits/decisions.ts'
import { listed, shown } from '../../../kernel/text/did-you-mean.ts'
import { openFeel } from '../../../tables/formulas/service.ts'
import { compareRules } from './compare-rules.ts'
import type { DecisionInput, DecisionModel, DecisionNode } from './model.ts'
import { nameBook } from './names.ts'
import { openCells } from './read-cells.ts'
import { type DmnElement, readDmn } from './read-dmn.ts'
import { readTable } from './read-table.ts'
import { openTypes } from './read-type.ts'

export type CompiledDecision =
  | { readonly model: DecisionModel; readonly warnings: readonly string[] }
  | { readonly problems: readonly string[] }

/** So many problems show what to change first. */
const maxProblems = 50

/**
 * Compiles a DMN document into what is evaluated, or answers everything that is wrong with it. `code`: the id of the
 * decision that is asked, when several answer something that no other needs. Loads moddle, so only code that saves
 * decisions imports it.
 */
export async function compileDecision(xml: string, code: string | undefined): Promise<CompiledDecision> {
  const read = await readDmn(xml)
  if ('problems' in read) return { problems: read.problems.slice(0, maxProblems) }
  const feel = await openFeel()
  const { definitions } = read
  const problems: string[] = []
  const warnings: string[] = []
  const all = elementsOf(definitions, 'Decision')
  if ((definitions.import ?? []).length > 0)
    problems.push('The document imports another one, which is not supported: write everything into one document.')
  if (all.length > maxDecisionsOfDocument)
    problems.push(`The document has ${all.length} decisions, and ${maxDecisionsOfDocument} are possible.`)
  const data = elementsOf(definitions, 'InputData')
  if (data.length > maxDecisionInputs)
    problems.push(`The document has ${data.length} input data, and ${maxDecisionInputs} are possible.`)
  const asked = problems.length > 0 ? undefined : askedDecision(all, code, problems)
  const ordered = asked === undefined ? [] : orderedFrom(asked, all, definitions, problems)
  if (asked === undefined || problems.length > 0) return { problems }
  for (const other of all.filter((one) => !ordered.includes(one)))
    warnings.push(`The decision ${nameOf(other)} is not needed by ${nameOf(asked)}, and is never evaluated.`)
  for (const service of elementsOf(definitions, 'DecisionService'))
    warnings.push(`The decision service ${nameOf(service)} means nothing here: ${nameOf(asked)} is evaluated.`)

  const names = nameBook([...data.map(variableOf), ...ordered.map(variableOf)])
  const readType = openTypes(definitions, (problem) => problems.push(problem))
  const byVariable = new Map(all.map((one) => [variableOf(one), one]))
  const free = new Set<string>()
  let cellsLeft = maxDecisionCells
  const decisions = ordered.map((decision): DecisionNode => {
    const prefix = ordered.length > 1 ? `${nameOf(decision)}: ` : ''
    const report = (problem: string): void => void problems.push(`${prefix}${problem}`)
    const cells = openCells(feel, names, report)
    const requires = requiredBy(decision, all)
    const { decisionLogic: logic, variable } = decision
    cellsLeft -= (logic?.rule ?? []).reduce(
      (sum, { inputEntry = [], outputEntry = [] }) => sum + inputEntry.length + outputEntry.length,
      0,
    )
    const { type } = readType(variable?.typeRef, `The variable of ${nameOf(decision)}`)
    const node = {
      id: decision.id ?? '',
      name: nameOf(decision),
      as: names.as(variableOf(decision)),
      requires: requires.map(({ id }) => id ?? ''),
      type: logic?.$type === 'dmn:DecisionTable' ? ('any' as const) : type,
    }
    const empty = { is: 'expression' as const, value: { text: '', source: 'null', constant: null } }
    if (cellsLeft < 0) return { ...node, logic: empty }
    const made = readLogic(decision, report)
    for (const used of cells.used) {
      const named = byVariable.get(used)
      if (named === undefined || named === decision) free.add(used)
      else if (!requires.includes(named))
        report(`It uses ${used} without requiring that decision: draw an information requirement from it.`)
    }
    return { ...node, logic: made ?? empty }

    function readLogic(of: DmnElement, tell: (problem: string) => void): DecisionNode['logic'] | undefined {
      switch (logic?.$type) {
        case 'dmn:DecisionTable': {
          const before = problems.length
          const table = readTable(logic, { feel, cells, readType, report: tell })
          if (table === undefined) return undefined
          // A cell that cannot be read would be taken for one that matches every value.
          if (problems.length > before) return { is: 'table', ...table }
          const compared = compareRules(table)
          compared.problems.forEach(tell)
          warnings.push(...compared.warnings.map((warning) => `${prefix}${warning}`))
          return { is: 'table', ...table }
        }
        case 'dmn:LiteralExpression':
          if ((logic.text ?? '').trim() === '') tell('The expression is empty.')
          return { is: 'expression', value: cells.value(logic, `The expression of ${nameOf(of)}`) }
        default:
          tell(
            logic === undefined
              ? 'The decision has no logic: give it a decision table or a literal expression.'
              : `${wordsOf(logic)} is not supported: write a decision table or a literal expression.`,
          )
          return undefined
      }
    }
  })
  if (cellsLeft < 0) problems.push(`The tables have more than ${maxDecisionCells} cells together.`)
  const inputs = [...free].map((name): DecisionInput => {
    const declared = data.find((one) => variableOf(one) === name)
    const { type, allowed } = readType(declared?.variable?.typeRef, `The input data ${name}`)
    const report = (problem: string): void => void problems.push(problem)
    const tests =
      allowed === undefined
        ? null
        : openCells(feel, names, report).tests({ $type: '', text: allowed }, `The allowed values of ${name}`)
    return { name, as: names.as(name), type, ...(tests && { allowed: tests }) }
  })
  if (problems.length > 0) return { problems: problems.slice(0, maxProblems) }
  return { model: { v: 1, inputs, decisions }, warnings }
}

const elementsOf = ({ drgElement = [] }: DmnElement, type: string): DmnElement[] =>
  drgElement.filter(({ $type }) => $type === `dmn:${type}`)

const nameOf = ({ name, id }: DmnElement): string => (name?.trim() || id) ?? 'without a name'
/** The name by which others use its value. */
const variableOf = (element: DmnElement): string => element.variable?.name?.trim() || nameOf(element)

/** `A boxed context` for `dmn:Context`. */
const wordsOf = ({ $type }: DmnElement): string =>
  `A boxed ${$type
    .replace('dmn:', '')
    .replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()}`

/** The decision with the id `code`, or the only one that no other needs. */
function askedDecision(
  all: readonly DmnElement[],
  code: string | undefined,
  problems: string[],
): DmnElement | undefined {
  const named = all.find(({ id }) => id === code)
  if (named !== undefined) return named
  const needed = new Set(
    all.flatMap(({ informationRequirement = [] }) =>
      informationRequirement.map(({ requiredDecision }) => idOf(requiredDecision)),
    ),
  )
  const tops = all.filter(({ id }) => id === undefined || !needed.has(id))
  if (tops.length === 1) return tops[0]
  problems.push(
    all.length === 0
      ? 'The document has no decision.'
      : tops.length === 0
        ? circle(all)
        : `Which decision is asked? No other needs ${listed(tops.map((one) => `${nameOf(one)} (${one.id ?? 'no id'})`))}: make the id of one of them the code.`,
  )
  return undefined
}

const circle = (path: readonly DmnElement[]): string =>
  `Decisions require each other in a circle: ${listed(path.map(nameOf))}.`

/** The id of `#id`; undefined for one of another document. */
const idOf = (reference: DmnElement | undefined): string | undefined => /^#?([^#]+)$/.exec(reference?.href ?? '')?.[1]

const requiredBy = ({ informationRequirement = [] }: DmnElement, all: readonly DmnElement[]): DmnElement[] =>
  informationRequirement.flatMap(({ requiredDecision }) => {
    const id = requiredDecision && idOf(requiredDecision)
    return all.find((one) => id !== undefined && one.id === id) ?? []
  })

/** The decision after all that it requires. */
function orderedFrom(
  asked: DmnElement,
  all: readonly DmnElement[],
  definitions: DmnElement,
  problems: string[],
): readonly DmnElement[] {
  const ordered = new Set<DmnElement>()
  const visit = (decision: DmnElement, path: readonly DmnElement[]): void => {
    if (ordered.has(decision) || problems.length > 0) return
    const at = path.indexOf(decision)
    if (at !== -1) {
      problems.push(circle([...path.slice(at), decision]))
      return
    }
    for (const { requiredDecision, requiredInput } of decision.informationRequirement ?? []) {
      const known = [...all, ...elementsOf(definitions, 'InputData')]
      const reference = requiredDecision ?? requiredInput
      const id = idOf(reference)
      if (!known.some((one) => one.id === id))
        problems.push(
          `${nameOf(decision)} requires ${shown(reference?.href ?? 'nothing')}, which is not in the document.`,
        )
    }
    if ((decision.knowledgeRequirement ?? []).length > 0)
      problems.push(
        `${nameOf(decision)} requires a business knowledge model, which is not supported: make it a decision, or write its expression where it is used.`,
      )
    for (const required of requiredBy(decision, all)) visit(required, [...path, decision])
    ordered.add(decision)
  }
  visit(asked, [])
  return [...ordered]
}
