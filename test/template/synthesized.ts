import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assemble } from '../../infra/local/template/assemble.ts'

// There is no schema for CloudFormation here; the assertions state what they expect.
export type Properties = Record<string, any>

export interface Resource {
  readonly id: string
  readonly type: string
  readonly properties: Properties
  readonly deletionPolicy: string | undefined
}

interface TemplateFile {
  readonly Resources: Record<string, { Type: string; Properties?: Properties; DeletionPolicy?: string }>
  readonly Outputs: Record<string, { Value: unknown }>
  readonly Parameters: Record<string, Properties>
  readonly Conditions: Record<string, unknown>
}

const { templateFile } = await assemble()
/** The template as it would be uploaded, byte for byte. */
export const templateText = readFileSync(templateFile, 'utf8')
export const template = JSON.parse(templateText) as TemplateFile
/** The manifest the CDK's command line deploys from. */
export const manifest = JSON.parse(readFileSync(join(dirname(templateFile), 'manifest.json'), 'utf8')) as {
  artifacts: Record<string, { type: string; properties?: Properties }>
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

/** The logical id that `{Ref}` or `{Fn::GetAtt}` points to. */
export const target = (reference: Properties): string => reference.Ref ?? reference['Fn::GetAtt'][0]

/** A resource or reference as text: `{Fn::GetAtt: [X, Arn]}` is `X.Arn`; joined parts are concatenated. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return value
  const reference = value as Properties
  if (reference.Ref !== undefined) return reference.Ref
  if (reference['Fn::GetAtt'] !== undefined) return reference['Fn::GetAtt'].join('.')
  if (reference['Fn::Join'] !== undefined) return reference['Fn::Join'][1].map(readable).join(reference['Fn::Join'][0])
  throw new Error(`cannot read ${JSON.stringify(value)}`)
}
