import { gzipSync } from 'node:zlib'
import type { Table } from '../../tables/service.ts'
import type { CompiledProcess, Finding, TaskDefinition, WorkDefinition } from '../definition/compiled-process.ts'
import { maxVersionBytes } from './template.ts'

/** Compiles a BPMN document, or returns the findings why it cannot run. */
export type CompileProcess = (
  xml: string,
) => Promise<{ readonly process: CompiledProcess } | { readonly findings: readonly Finding[] }>

/** What a check needs of a table. */
export type KnownTable = Pick<Table, 'name' | 'fieldsByName'>
/** Finds a table by name; undefined when there is none. */
export type FindTable = (name: string) => Promise<KnownTable | undefined>

/** Compiles a document for records of a table and looks up the tables and fields it names, or returns all findings. */
export async function checkTemplate(
  compile: CompileProcess,
  findTable: FindTable,
  table: KnownTable,
  xml: string,
): ReturnType<CompileProcess> {
  const compiled = await compile(xml)
  if ('findings' in compiled) return compiled
  const findings = [
    ...tableFindings(compiled.process, table),
    ...(await fieldFindings(compiled.process, table, findTable)),
  ]
  if (findings.length > 0) return { findings }
  const bytes = gzipSync(xml).length + gzipSync(JSON.stringify(compiled.process)).length
  if (bytes > maxVersionBytes)
    return {
      findings: [
        {
          elementId: null,
          message: 'The document is too large: compressed together with its compiled form it may have 380 KB.',
        },
      ],
    }
  return compiled
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
      if (!fieldsByName.has(field)) findings.push({ elementId, message: `The table ${name} has no field "${field}".` })
  }
  for (const [elementId, task] of Object.entries(tasks)) checkFields(elementId, table, fieldsOfTask(task))
  for (const [elementId, definition] of Object.entries(work)) {
    const target = targetOf(definition) ?? table.name
    const found = target === table.name ? table : await findTable(target)
    if (found) checkFields(elementId, found, fieldsOfWork(definition))
    else findings.push({ elementId, message: `There is no table "${target}".` })
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
