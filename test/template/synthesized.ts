import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assemble } from '../../infra/local/template/assemble.ts'
import { readTemplates } from '../../infra/local/template/read-templates.ts'

// There is no schema for CloudFormation here; the assertions state what they expect.
export type Properties = Record<string, any>

export interface Resource {
  readonly id: string
  readonly type: string
  readonly properties: Properties
  readonly deletionPolicy: string | undefined
}

interface TemplateFile {
  readonly Resources: Record<
    string,
    { Type: string; Properties?: Properties; DeletionPolicy?: string; UpdateReplacePolicy?: string; Condition?: string }
  >
  readonly Outputs: Record<string, { Value: unknown; Export?: { Name: string } }>
  readonly Parameters: Record<string, Properties>
  readonly Conditions: Record<string, unknown>
  readonly Rules?: Record<string, unknown>
}

const { templateFiles } = await assemble()
/** The templates as they would be uploaded, byte for byte. */
export const templateTexts = templateFiles.map((file) => readFileSync(file, 'utf8'))
const read = (file: string): TemplateFile => JSON.parse(readFileSync(file, 'utf8')) as TemplateFile
const stack = (suffix: string): TemplateFile =>
  read(templateFiles.find((file) => file.endsWith(`EntityWorkflow-dev${suffix}.template.json`)) as string)
/** The three stacks, each alone: what holds the data, the service, and what tells the operator. */
export const stacks = { data: stack('-Data'), service: stack(''), monitoring: stack('-Monitoring') }
/** All stacks as one. */
export const template = readTemplates(templateFiles) as TemplateFile
/** The manifest the CDK's command line deploys from. */
export const manifest = JSON.parse(
  readFileSync(join(dirname(templateFiles[0] as string), 'manifest.json'), 'utf8'),
) as {
  artifacts: Record<string, { type: string; properties?: Properties; dependencies?: string[] }>
}

export const resources: readonly Resource[] = Object.entries(template.Resources).map(([id, resource]) => ({
  id,
  type: resource.Type,
  properties: resource.Properties ?? {},
  deletionPolicy: resource.DeletionPolicy,
}))

export const resourcesOf = (type: string): Resource[] => resources.filter((resource) => resource.type === type)

export function theOnly(type: string): Resource {
  const [found, ...more] = resourcesOf(type)
  if (found === undefined || more.length > 0)
    throw new Error(`expected one ${type}, found ${more.length + (found ? 1 : 0)}`)
  return found
}

/** The deployed function of a name in the catalogue. */
export function functionNamed(name: string): Resource {
  const found = resourcesOf('AWS::Lambda::Function').find(
    ({ properties }) => properties.Environment.Variables.POWERTOOLS_SERVICE_NAME === name,
  )
  if (found === undefined) throw new Error(`no function ${name} in the template`)
  return found
}

/** What one stack reads of another: an export by `Fn::ImportValue`, or an output by `Fn::GetStackOutput`. */
function elsewhere(reference: Properties): Properties | undefined {
  const { 'Fn::ImportValue': exported, 'Fn::GetStackOutput': output } = reference
  if (exported === undefined && output === undefined) return undefined
  const found =
    output === undefined
      ? Object.values(template.Outputs).find(({ Export }) => Export?.Name === exported)
      : template.Outputs[output.OutputName]
  if (found === undefined) throw new Error(`no stack has ${JSON.stringify(reference)}`)
  return found.Value as Properties
}

/** The logical id that `{Ref}` or `{Fn::GetAtt}` points to, also in another stack. */
export function target(reference: Properties): string {
  const there = elsewhere(reference)
  return there === undefined ? (reference.Ref ?? reference['Fn::GetAtt'][0]) : target(there)
}

/**
 * A resource or reference as text: `{Fn::GetAtt: [X, Arn]}` is `X.Arn`; joined parts are concatenated. Of two values, the
 * one of a deployment without parameters.
 */
export function readable(value: unknown): string {
  if (typeof value === 'string') return value
  const reference = value as Properties
  if (reference.Ref !== undefined) return reference.Ref
  const there = elsewhere(reference)
  if (there !== undefined) return readable(there)
  if (reference['Fn::If'] !== undefined) return readable(reference['Fn::If'][2])
  if (reference['Fn::GetAtt'] !== undefined) return reference['Fn::GetAtt'].join('.')
  if (reference['Fn::Join'] !== undefined) return reference['Fn::Join'][1].map(readable).join(reference['Fn::Join'][0])
  throw new Error(`cannot read ${JSON.stringify(value)}`)
}

/** The function that a reference leads to, by an alias or itself. */
export function behindAlias(reference: Properties | undefined): string {
  const id = target(reference ?? {})
  if (template.Resources[id]?.Type === 'AWS::Lambda::Function') return id
  const alias = resourcesOf('AWS::Lambda::Alias').find((one) => one.id === id)
  if (alias === undefined) throw new Error(`no alias and no function: ${JSON.stringify(reference)}`)
  return target(alias.properties.FunctionName)
}
