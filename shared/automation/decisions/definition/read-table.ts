import { maxDecisionColumns, maxDecisionRules } from '../../../kernel/limits/decisions.ts'
import { didYouMean, listed, shown } from '../../../kernel/text/did-you-mean.ts'
import type { Feel } from '../../../tables/formulas/service.ts'
import type { FeelType } from '../../../tables/formulas/typed-values.ts'
import {
  type Aggregation,
  aggregations,
  type DecisionTable,
  hitPolicies,
  type HitPolicy,
  type InputColumn,
  type OutputColumn,
  type Rule,
  type TestCell,
  type ValueCell,
} from './model.ts'
import type { Cells } from './read-cells.ts'
import type { DmnElement } from './read-dmn.ts'
import type { ReadTypes } from './read-type.ts'

interface Reading {
  readonly feel: Feel
  readonly cells: Cells
  readonly readType: ReadTypes
  readonly report: (problem: string) => void
}

/** Reads a decision table. What is wrong is reported by rule and column. */
export function readTable(table: DmnElement, reading: Reading): DecisionTable | undefined {
  const { report } = reading
  const { input = [], output = [], rule = [] } = table
  if (output.length === 0) report('The table has no output.')
  if (input.length + output.length > maxDecisionColumns)
    report(`The table has ${input.length + output.length} inputs and outputs, and ${maxDecisionColumns} are possible.`)
  if (rule.length > maxDecisionRules)
    report(`The table has ${rule.length} rules, and ${maxDecisionRules} are possible.`)
  if (output.length === 0 || input.length + output.length > maxDecisionColumns || rule.length > maxDecisionRules)
    return undefined
  const hitPolicy = readHitPolicy(table, report)
  const aggregation = readAggregation(table, hitPolicy, output.length, report)
  const inputs = input.map((one, index) => readInput(one, index, reading))
  const outputs = readOutputs(output, table, reading)
  if (
    (hitPolicy === 'PRIORITY' || hitPolicy === 'OUTPUT ORDER') &&
    outputs.every(({ priorities }) => priorities === undefined)
  )
    report(`The hit policy ${hitPolicy} needs the values of an output in the order of their priority (outputValues).`)
  if (aggregation !== undefined && aggregation !== 'COUNT' && !['number', 'any'].includes(outputs[0]?.type ?? 'any'))
    report(`COLLECT with ${aggregation} needs an output of the type number, not ${outputs[0]?.type ?? 'any'}.`)
  const rules = rule.map((one, index) => readRule(one, index, { inputs, outputs }, reading))
  return { hitPolicy, ...(aggregation && { aggregation }), inputs, outputs, rules }
}

function readHitPolicy({ hitPolicy = 'UNIQUE' }: DmnElement, report: Reading['report']): HitPolicy {
  const known = hitPolicies.find((one) => one === hitPolicy.trim().toUpperCase())
  if (known === undefined)
    report(
      `The hit policy ${shown(hitPolicy)} is unknown.${didYouMean(hitPolicy.toUpperCase(), hitPolicies) || ` There are: ${hitPolicies.join(', ')}.`}`,
    )
  return known ?? 'UNIQUE'
}

function readAggregation(
  { aggregation }: DmnElement,
  hitPolicy: HitPolicy,
  outputs: number,
  report: Reading['report'],
): Aggregation | undefined {
  if (aggregation === undefined) return undefined
  const known = aggregations.find((one) => one === aggregation.trim().toUpperCase())
  if (known === undefined)
    report(`The aggregation ${shown(aggregation)} is unknown. There are: ${aggregations.join(', ')}.`)
  else if (hitPolicy !== 'COLLECT') report(`The aggregation ${known} is one of COLLECT, not of ${hitPolicy}.`)
  else if (outputs > 1) report(`COLLECT with ${known} needs one output, and the table has ${outputs}.`)
  return known
}

function readInput(input: DmnElement, index: number, { cells, readType, report }: Reading): InputColumn {
  const { inputExpression } = input
  const label = columnLabel(input.label ?? inputExpression?.text, index)
  const where = `The input ${label}`
  const foreign = Object.entries(input.$attrs ?? {}).find(([name]) => name.endsWith(':inputVariable'))
  if (foreign !== undefined && foreign[1] !== '' && foreign[1] !== 'cellInput')
    report(`${where} has ${foreign[0]}="${shown(foreign[1])}", which means nothing here: write ? for the tested value.`)
  if ((inputExpression?.text ?? '').trim() === '')
    report(`${where} has no expression: write the name of what it tests.`)
  const { type, isWhole, allowed } = readType(inputExpression?.typeRef, where)
  const values = readAllowed(input.inputValues, allowed, `The allowed values of the input ${label}`, cells)
  return {
    label,
    value: cells.value(inputExpression, where),
    type,
    ...(isWhole && { isWhole }),
    ...(values && { allowed: values }),
  }
}

/** Allowed values of a column, or those of its type. */
const readAllowed = (
  element: DmnElement | undefined,
  ofType: string | undefined,
  where: string,
  cells: Cells,
): TestCell | undefined =>
  cells.tests(
    (element?.text ?? '').trim() !== '' || ofType === undefined ? element : { $type: 'dmn:UnaryTests', text: ofType },
    where,
  ) ?? undefined

/** `"Season"`, or `2` for the second of those without a name. */
const columnLabel = (name: string | undefined, index: number): string => {
  const text = name?.trim() ?? ''
  return text === '' ? String(index + 1) : `"${text.slice(0, 80)}"`
}

function readOutputs(outputs: readonly DmnElement[], table: DmnElement, reading: Reading): OutputColumn[] {
  const { report } = reading
  const names = new Set<string>()
  return outputs.map((output, index) => {
    const name = output.name?.trim() ?? ''
    const label = columnLabel(output.label ?? (name === '' ? table.outputLabel : name), index)
    if (outputs.length > 1) {
      if (name === '') report(`The output ${label} has no name, which the table needs when it has several outputs.`)
      else if (names.has(name)) report(`Two outputs have the name ${name}.`)
      else if (name in Object.prototype) report(`An output cannot have the name ${name}.`)
      names.add(name)
    }
    return { ...readOutput(output, label, reading), ...(outputs.length > 1 && { name }) }
  })
}

function readOutput(output: DmnElement, label: string, { feel, cells, readType, report }: Reading) {
  const where = `The output ${label}`
  const { type, allowed: ofType } = readType(output.typeRef, where)
  const allowed = readAllowed(output.outputValues, ofType, `The allowed values of the output ${label}`, cells)
  const priorities = allowed === undefined || allowed.isNegated ? undefined : prioritiesOf(allowed)
  const column = { label, type, ...(allowed && { allowed }), ...(priorities && { priorities }) }
  const { defaultOutputEntry } = output
  if (defaultOutputEntry === undefined || (defaultOutputEntry.text ?? '').trim() === '') return column
  const value = cells.value(defaultOutputEntry, `The default of the output ${label}`)
  checkConstant(value, column, `The default of the output ${label}`, { feel, report })
  return { ...column, default: value }
}

/** The values that an output may have, in order; undefined when they are not listed one by one. */
const prioritiesOf = ({ tests }: TestCell): readonly unknown[] | undefined =>
  tests?.every((test) => test.is === 'value') ? tests.map((test) => test.is === 'value' && test.value) : undefined

function readRule(
  rule: DmnElement,
  index: number,
  { inputs, outputs }: Pick<DecisionTable, 'inputs' | 'outputs'>,
  { cells, feel, report }: Reading,
): Rule {
  const called = `Rule ${index + 1}`
  const { inputEntry = [], outputEntry = [] } = rule
  if (inputEntry.length !== inputs.length)
    report(`${called} has ${inputEntry.length} input entries, and the table ${inputs.length} inputs.`)
  if (outputEntry.length !== outputs.length)
    report(`${called} has ${outputEntry.length} output entries, and the table ${outputs.length} outputs.`)
  const when = inputs.map((column, at) => {
    const where = `${called}, input ${column.label}`
    const cell = cells.tests(inputEntry[at], where)
    const wrong = cell === null ? undefined : otherType(cell, column.type)
    if (wrong !== undefined) report(`${where}: ${wrong}, and the input is a ${column.type}.`)
    return cell
  })
  const answers = outputs.map((column, at) => {
    const where = `${called}, output ${column.label}`
    const value = cells.value(outputEntry[at], where)
    checkConstant(value, column, where, { feel, report })
    return value
  })
  return { id: rule.id ?? `rule-${index + 1}`, when, answers }
}

const wordOf = (value: unknown): string => `${JSON.stringify(value)} is a ${typeof value}`

/** What a cell tests that a value of the column never is. */
function otherType({ tests = [] }: TestCell, type: FeelType): string | undefined {
  if (type !== 'string' && type !== 'number' && type !== 'boolean') return undefined
  for (const test of tests) {
    if (test.is === 'range' && type !== 'number') return 'it compares with a number'
    if (test.is === 'value' && test.value !== null && typeof test.value !== type) return wordOf(test.value)
  }
  return undefined
}

/** Reports a constant that its column does not allow. */
function checkConstant(
  { constant }: ValueCell,
  { type, allowed }: Pick<OutputColumn, 'type' | 'allowed'>,
  where: string,
  { feel, report }: Pick<Reading, 'feel' | 'report'>,
): void {
  if (constant === undefined || constant === null) return
  if (feel.typedValue(type, constant) === undefined)
    report(`${where}: ${wordOf(constant)}, and the output is a ${type}.`)
  else if (
    allowed?.tests &&
    !feel.passesSimple({ tests: allowed.tests, isNegated: allowed.isNegated === true }, constant)
  )
    report(`${where}: ${shown(JSON.stringify(constant))} is none of the allowed values ${listed([allowed.text])}.`)
}
