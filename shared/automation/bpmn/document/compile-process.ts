import { maxElementIdCharacters, maxFindings } from '../../../kernel/limits/processes.ts'
import { elements } from '../elements/registry.ts'
import { conditionProblem, expressionKind, openExpressionChecks } from '../expressions/expression-problems.ts'
import { expressionOf } from '../expressions/expression.ts'
import { type BpmnElement, describe, isA, typeOf } from '../shapes/bpmn-element.ts'
import type { CompiledProcess, Finding, FlowCondition } from '../shapes/compiled-process.ts'
import { collectFindings, type Findings, type Report, reportAs } from '../shapes/findings.ts'
import type { StoredGraph } from '../shapes/graph.ts'
import { scopesOf } from '../shapes/scopes.ts'
import { isFixedTime } from '../shapes/timing.ts'
import { checkFourEyes } from './check/check-four-eyes.ts'
import { checkReferences } from './check/check-references.ts'
import { findUnsupported } from './check/find-unsupported.ts'
import { foreignWords } from './check/foreign-words.ts'
import { collectReads } from './collect-reads.ts'
import { definedVariables } from './defined-variables.ts'
import { markFeel } from './mark-feel.ts'
import { normalizeStandard } from './normalize-standard.ts'
import { normalizeTimers } from './normalize-timers.ts'
import { readEvents } from './read-events.ts'
import { readGraph } from './read-graph.ts'
import { checksWith, readScope } from './read-scope.ts'
import { chooseProcess, pictures } from './read/choose-process.ts'
import { checkExtensions, textOf } from './read/extensions.ts'
import { identifyElements } from './read/identify-elements.ts'
import { readDocument } from './read/read-document.ts'
import { readShown } from './read/read-shown.ts'
import { leaveOutUnreached } from './vendors/adopt-flows.ts'
import { adoptVendorWords } from './vendors/adopt-vendor-words.ts'
import { declareThrown } from './vendors/declare-thrown.ts'

export type Compilation =
  | {
      readonly process: CompiledProcess
      readonly conditions: readonly FlowCondition[]
      /** The variables that loops define. */
      readonly loopVariables: readonly string[]
      /** What the document says in the words of other engines, which means nothing here. */
      readonly warnings: readonly Omit<Finding, 'code'>[]
    }
  | Uncompiled

/** Why a document cannot run. */
export interface Uncompiled {
  readonly findings: readonly Finding[]
  /** What the process element says, as far as it was read. */
  readonly wf?: CompiledProcess['wf']
  readonly warnings?: readonly Omit<Finding, 'code'>[]
}

/**
 * Compiles a BPMN 2.0 document (XML, at most 1 MB) into what instances run from, or answers everything that is wrong
 * with it. Takes some ten milliseconds and loads moddle, so only code that saves templates imports it.
 */
export const compileProcess = (xml: string): Promise<Compilation> => compile(xml, true)

/**
 * The graph of a document that was compiled before, in an older form. What is found wrong with it since then is no reason
 * not to run it.
 */
export async function recompileGraph(xml: string): Promise<StoredGraph> {
  const compiled = await compile(xml, false)
  if ('process' in compiled) return compiled.process.graph
  throw new Error(`a document that was compiled before cannot be read any more: ${compiled.findings[0]?.message}`)
}

async function compile(xml: string, refuses: boolean): Promise<Compilation> {
  const findings = collectFindings()
  await openExpressionChecks()
  const { moddle, findings: unread, foreign } = await readDocument(xml)
  for (const finding of unread) findings.add(finding)
  if (moddle === undefined) return { findings: findings.list }

  const process = chooseProcess(moddle.rootElement, findings)
  if (process === undefined) return { findings: findings.list }
  const written = scopesOf(process)
  if (typeof written === 'string')
    return { findings: [{ elementId: process.id ?? null, code: 'too_large', message: written }] }
  identifyElements(moddle, process)
  declareThrown(moddle)
  checkReferences(moddle, process, reportAs(findings.report, 'invalid_reference'))

  const unreached = leaveOutUnreached(moddle, written)
  const left = unreached.length === 0 ? written : scopesOf(process)
  // It has become smaller.
  const scopes = typeof left === 'string' ? written : left
  const normalized = normalizeStandard(moddle, scopes)
  const { warnings: adopted, startVariables } = adoptVendorWords(moddle, scopes)
  markFeel(scopes, moddle.rootElement)
  const wf = readProcess(process, findings.report)
  const read = scopes.map((scope) => readScope(scope, findings.report))
  checkFourEyes(scopes, reportAs(findings.report, 'invalid_reference'))
  const timed = normalizeTimers(scopes)
  const events = readEvents(scopes, Object.fromEntries(read.flatMap(({ tasks }) => tasks)), checksWith(findings.report))
  const shown = readShown(process, scopes, findings.report)
  const drawn = pictures(moddle.rootElement, process)
  moddle.rootElement.rootElements = moddle.rootElement.rootElements?.filter(
    (element) => element === process || !isA(element, 'Process'),
  )
  addUnsupported(findUnsupported(moddle), findings)
  const described = [process, ...scopes.flatMap((scope) => [...scope.nodes, ...scope.flows])]
  const warnings = [
    ...events.warnings,
    ...timed,
    ...drawn,
    ...foreign.map((name) => ({
      elementId: null,
      message: `The document has <${name}> where BPMN allows no other elements; it is left out.`,
    })),
    ...unreached,
    ...normalized,
    ...adopted,
    ...foreignWords([...described, ...namedByEvents(moddle.rootElement)]),
  ].slice(0, maxFindings)
  if ((refuses && findings.list.length > 0) || process.id === undefined)
    return { findings: findings.list, wf, warnings }

  const conditions = scopes.flatMap(({ flows, nodes }) => [
    ...flows.flatMap(conditionOf),
    ...nodes.flatMap(expressionsOfNode),
  ])
  const calls = read.flatMap((scope) => scope.calls)
  conditions.push(
    ...events.expressions,
    ...calls.flatMap(([elementId, { expression: source }]) => (source === undefined ? [] : [{ elementId, source }])),
  )
  const loopVariables = scopes.flatMap((scope) =>
    scope.nodes.flatMap(({ loopCharacteristics: loop }) =>
      [loop?.elementVariable, loop?.outputCollection].filter((name) => typeof name === 'string'),
    ),
  )
  const nodes = scopes.flatMap((scope) => scope.nodes)
  const mappings = read.flatMap((scope) => scope.mappings)
  const compiled = {
    tasks: Object.fromEntries(read.flatMap(({ tasks }) => tasks.filter(([id]) => !Object.hasOwn(events.events, id)))),
    work: Object.fromEntries(read.flatMap(({ work }) => work)),
    ...(mappings.length > 0 && { mappings: Object.fromEntries(mappings) }),
    ...(calls.length > 0 && { calls: Object.fromEntries(calls) }),
    ...(events.starts.length > 0 && { starts: events.starts }),
    ...(startVariables !== undefined && { startVariables }),
  }
  const defines = [...new Set([...definedVariables(compiled), ...loopVariables])]
  const reads = collectReads(scopes, compiled, events.events, shown, expressionsOfNode)
  return {
    warnings,
    process: {
      v: 2,
      processId: process.id,
      name: process.name ?? null,
      graph: readGraph(process, events),
      wf,
      elements: Object.fromEntries(nodes.map((node) => [node.id, { type: typeOf(node), name: node.name ?? null }])),
      ...compiled,
      defines,
      reads,
      ...(!events.hasPlainStart && { isTriggered: true }),
    },
    conditions,
    loopVariables,
  }
}

/** The messages, signals, errors and escalations of a document. */
const namedByEvents = ({ rootElements = [] }: BpmnElement): BpmnElement[] =>
  rootElements.filter((root) => isA(root, 'Message', 'Signal', 'Error', 'Escalation'))

const conditionOf = ({ id = '', conditionExpression }: BpmnElement): FlowCondition[] =>
  conditionExpression?.body === undefined
    ? []
    : [{ elementId: id, source: expressionOf(String(conditionExpression.body)) }]

/** The expressions of a node and its loop. */
const expressionsOfNode = (node: BpmnElement): FlowCondition[] => {
  const { id = '', loopCharacteristics: loop } = node
  return [
    loop?.collection,
    loop?.outputElement,
    loop?.loopCardinality?.body,
    loop?.loopCondition?.body,
    loop?.completionCondition?.body,
    ...(node.eventDefinitions ?? [])
      .flatMap(({ timeDuration, timeDate, timeCycle }) => [timeDuration?.body, timeDate?.body, timeCycle?.body])
      .filter((time) => time !== undefined && !isFixedTime(time)),
    ...(elements.nodeOf(node)?.expressions?.(node) ?? []).map((expression) => expression?.body),
  ].flatMap((text) => (typeof text === 'string' ? [{ elementId: id, source: expressionOf(text) }] : []))
}

function readProcess(process: BpmnElement, report: Report): CompiledProcess['wf'] {
  if ((process.id?.length ?? 0) > maxElementIdCharacters)
    report(process, `${describe(process)} has an id of more than ${maxElementIdCharacters} characters.`)
  checkExtensions(process, report)
  const table = textOf(process, 'table', report)
  if (table !== undefined && !/^[a-z][a-z0-9_]{0,62}$/.test(table))
    report(process, `${describe(process)}: wf:table="${table}" is no name of a table. Use a-z, 0-9 and "_".`)
  const condition = textOf(process, 'startCondition', report)
  const fault = condition === undefined ? undefined : conditionProblem(condition)
  if (fault !== undefined)
    report(
      process,
      `the wf:startCondition of ${describe(process)} is not ${expressionKind(condition)}: ${fault}.`,
      'invalid_expression',
    )
  return {
    ...(table === undefined ? {} : { table }),
    ...(typeof process.autoStart === 'boolean' ? { isAutoStart: process.autoStart } : {}),
    ...(condition === undefined ? {} : { startCondition: expressionOf(condition) }),
  }
}

/** Adds what the engine cannot run, except for elements with findings already: both would often say the same. */
function addUnsupported(unsupported: readonly Finding[], { list, add }: Findings): void {
  const known = new Set(list.map(({ elementId }) => elementId))
  for (const finding of unsupported) if (!known.has(finding.elementId)) add(finding)
}
