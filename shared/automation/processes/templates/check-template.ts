import { gzipSync } from 'node:zlib'
import { maxTemplateVersionBytes } from '../../../kernel/limits/processes.ts'
import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import type { Uncompiled } from '../../bpmn/document/compile-process.ts'
import type {
  CompiledProcess,
  Finding,
  FlowCondition,
  TaskDefinition,
  WorkDefinition,
} from '../../bpmn/shapes/compiled-process.ts'
import type { FindTable, KnownNames, KnownTable, ProcessWarning } from './known-names.ts'
import { candidateWarnings, nameFindings, nameWarnings } from './name-findings.ts'
import { callWarnings } from './pin-references.ts'
import { variableNames } from './variable-names.ts'

/** Compiles a BPMN document, or returns the findings why it cannot run. */
export type CompileProcess = (xml: string) => Promise<
  | {
      readonly process: CompiledProcess
      readonly conditions: readonly FlowCondition[]
      readonly loopVariables: readonly string[]
      readonly warnings: readonly ProcessWarning[]
    }
  | Uncompiled
>

/**
 * Compiles a document for records of a table and looks up what it names, or returns all findings. `before`: the document
 * that it replaces, whose roles, users and members of the record are not checked again.
 */
export async function checkTemplate(
  compile: CompileProcess,
  known: KnownNames,
  table: KnownTable,
  xml: string,
  before?: string,
): ReturnType<CompileProcess> {
  const compiled = await compile(xml)
  if ('findings' in compiled) return compiled
  const named = await nameFindings(compiled, table, known)
  const findings = [
    ...variableNames(compiled).findings,
    ...tableFindings(compiled.process, table),
    ...(await fieldFindings(compiled.process, table, known.findTable)),
    ...(before === undefined || named.length === 0
      ? named
      : await withoutEarlier(compile, known, table, before, named)),
  ]
  if (findings.length > 0) return { findings, wf: compiled.process.wf, warnings: compiled.warnings }
  const bytes = gzipSync(xml).length + gzipSync(JSON.stringify(compiled.process)).length
  if (bytes > maxTemplateVersionBytes)
    return {
      findings: [
        {
          elementId: null,
          code: 'too_large',
          message: 'The document is too large: compressed together with its compiled form it may have 380 KB.',
        },
      ],
    }
  const warnings = [
    ...compiled.warnings,
    ...variableNames(compiled).warnings,
    ...(await callWarnings(compiled.process, table, known)),
    ...(await candidateWarnings(compiled.process, known)),
    ...(await nameWarnings(compiled.process, table, known)),
  ]
  return { ...compiled, warnings }
}

/** The findings that the earlier document does not have: what it names was valid when it was saved. */
async function withoutEarlier(
  compile: CompileProcess,
  known: KnownNames,
  table: KnownTable,
  xml: string,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const before = await compile(xml)
  if ('findings' in before) return findings
  const earlier = new Set((await nameFindings(before, table, known)).map(({ message }) => message))
  return findings.filter(({ message }) => !earlier.has(message))
}

function tableFindings({ processId, wf }: CompiledProcess, { name }: KnownTable): readonly Finding[] {
  if (wf.table === undefined || wf.table === name) return []
  return [
    {
      elementId: processId,
      message: `The process says wf:table="${wf.table}", but the template belongs to the table ${name}.`,
    },
  ]
}

/** Findings for tables and fields that the process names and that do not exist. */
async function fieldFindings(
  { tasks, work }: CompiledProcess,
  table: KnownTable,
  findTable: FindTable,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const checkFields = (elementId: string, { name, fieldsByName }: KnownTable, fields: readonly string[]): void => {
    for (const field of new Set(fields))
      if (!fieldsByName.has(field)) {
        const advice = didYouMean(field, fieldsByName.keys())
        findings.push({
          elementId,
          code: 'unknown_field',
          message: `The table ${name} has no field "${field}".${advice}`,
        })
      }
  }
  for (const [elementId, task] of Object.entries(tasks)) checkFields(elementId, table, fieldsOfTask(task))
  for (const [elementId, definition] of Object.entries(work)) {
    const target = targetOf(definition) ?? table.name
    const found = target === table.name ? table : await findTable(target)
    if (found) checkFields(elementId, found, fieldsOfWork(definition))
    else findings.push({ elementId, code: 'unknown_table', message: `There is no table "${target}".` })
  }
  return findings
}

const fieldsOfTask = ({ completeOn, setFields, form }: TaskDefinition): readonly string[] => [
  ...completeOn
    .flatMap(({ conditions, groups }) => [...conditions, ...groups.flatMap((group) => group.conditions)])
    .map(({ field }) => field),
  ...setFields.flatMap(({ sets }) => sets).map(({ field }) => field),
  ...form.flatMap(({ bind }) => bind ?? []),
]

const targetOf = (definition: WorkDefinition): string | undefined =>
  definition.kind === 'createRecord' ? definition.table : undefined
const fieldsOfWork = (definition: WorkDefinition): readonly string[] =>
  'sets' in definition ? definition.sets.map(({ field }) => field) : []
