/**
 * Resolves a synthesized CloudFormation template as a deployment would: parameters, conditions, intrinsic functions
 * and references. `identify` (resource-types.ts) supplies the names and attributes of resources.
 */

export interface Template {
  readonly Parameters?: Readonly<Record<string, Parameter>>
  readonly Conditions?: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, TemplateResource>>
  readonly Outputs?: Readonly<Record<string, Output>>
}

interface Output {
  readonly Value: unknown
  readonly Export?: { readonly Name: unknown }
}

interface Parameter {
  readonly Type: string
  readonly Default?: string | number
  readonly AllowedValues?: readonly unknown[]
  readonly AllowedPattern?: string
}

interface TemplateResource {
  readonly Type: string
  readonly Condition?: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

/** The values of `Ref` and `Fn::GetAtt` for a resource. */
export interface Identity {
  readonly ref: string
  attribute(name: string): string
}

export interface StackLocation {
  readonly region: string
  readonly accountId: string
  readonly stackName: string
}

export interface ResolveOptions {
  readonly location: StackLocation
  readonly parameters: Readonly<Record<string, string>>
  identify(id: string, type: string, property: (name: string) => unknown): Identity
}

export interface Resource {
  readonly id: string
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly identity: Identity
}

export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

const noValue = Symbol('AWS::NoValue')

/** All resources whose condition holds, in the template's order, with every reference resolved. */
export function resolveTemplate(template: Template, options: ResolveOptions): Resource[] {
  const parameters = parameterValues(template, options.parameters)
  const pseudo: Record<string, unknown> = {
    'AWS::AccountId': options.location.accountId,
    'AWS::Region': options.location.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': options.location.stackName,
    'AWS::StackId': `arn:aws:cloudformation:${options.location.region}:${options.location.accountId}:stack/${options.location.stackName}/local`,
    'AWS::NotificationARNs': [],
    'AWS::NoValue': noValue,
  }
  const identities = new Map<string, Identity>()
  const resolving = new Set<string>()
  const conditions = new Map<string, boolean>()

  function identityOf(id: string): Identity {
    const known = identities.get(id)
    if (known) return known
    const resource = template.Resources[id]
    if (!resource) throw new TemplateError(`The template refers to ${id}, which it does not hold.`)
    if (resolving.has(id)) throw new TemplateError(`The name of ${id} depends on itself.`)
    resolving.add(id)
    const identity = options.identify(id, resource.Type, (name) => given(resolve(resource.Properties?.[name])))
    resolving.delete(id)
    identities.set(id, identity)
    return identity
  }

  function reference(name: string): unknown {
    if (name in pseudo) return pseudo[name]
    return parameters.has(name) ? parameters.get(name) : identityOf(name).ref
  }

  function holds(name: string): boolean {
    const known = conditions.get(name)
    if (known !== undefined) return known
    const condition = template.Conditions?.[name]
    if (condition === undefined) throw new TemplateError(`The template has no condition ${name}.`)
    const result = resolve(condition) === true
    conditions.set(name, result)
    return result
  }

  const functions: Record<string, (argument: any) => unknown> = {
    Ref: (name: string) => reference(name),
    Condition: (name: string) => holds(name),
    'Fn::GetAtt': (path: string | [string, string]) => {
      const [id, name] = typeof path === 'string' ? split(path, '.') : path
      return identityOf(id).attribute(name)
    },
    'Fn::Join': ([separator, parts]: [string, unknown]) => list(resolve(parts)).join(separator),
    'Fn::Split': ([separator, text]: [string, unknown]) => String(resolve(text)).split(separator),
    'Fn::Select': ([index, parts]: [number | string, unknown]) => list(resolve(parts))[Number(index)],
    'Fn::Sub': (argument: string | [string, Record<string, unknown>]) => substitute(argument),
    'Fn::If': ([name, yes, no]: [string, unknown, unknown]) => resolve(holds(name) ? yes : no),
    'Fn::Equals': ([left, right]: [unknown, unknown]) => String(resolve(left)) === String(resolve(right)),
    'Fn::Not': ([condition]: [unknown]) => resolve(condition) !== true,
    'Fn::And': (all: unknown[]) => all.every((condition) => resolve(condition) === true),
    'Fn::Or': (any: unknown[]) => any.some((condition) => resolve(condition) === true),
    'Fn::ImportValue': (name: unknown) => exported(String(resolve(name))),
    'Fn::GetStackOutput': ({ OutputName }: { OutputName: unknown }) => output(String(resolve(OutputName))),
    'Fn::GetAZs': () => ['a', 'b'].map((zone) => options.location.region + zone),
    'Fn::Base64': (text: unknown) => Buffer.from(String(resolve(text))).toString('base64'),
  }

  function exported(name: string): unknown {
    const found = Object.values(template.Outputs ?? {}).find(
      ({ Export }) => Export !== undefined && resolve(Export.Name) === name,
    )
    if (!found) throw new TemplateError(`No stack exports ${name}.`)
    return resolve(found.Value)
  }

  function output(name: string): unknown {
    const found = template.Outputs?.[name]
    if (!found) throw new TemplateError(`No stack has the output ${name}.`)
    return resolve(found.Value)
  }

  function substitute(argument: string | [string, Record<string, unknown>]): string {
    const [text, own] = typeof argument === 'string' ? [argument, {}] : argument
    return text.replace(/\$\{(!?)([^}]+)\}/g, (whole, literal: string, name: string) => {
      if (literal) return `\${${name}}`
      if (name in own) return String(resolve(own[name]))
      if (whole.includes('.')) return String(functions['Fn::GetAtt']!(name))
      return String(reference(name))
    })
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== noValue)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [only] = entries
    if (only && entries.length === 1) {
      const intrinsic = functions[only[0]]
      if (intrinsic) return intrinsic(only[1])
      if (only[0].startsWith('Fn::')) throw new TemplateError(`The local cloud does not know ${only[0]}.`)
    }
    return Object.fromEntries(
      entries.map(([name, item]) => [name, resolve(item)] as const).filter(([, item]) => item !== noValue),
    )
  }

  return Object.entries(template.Resources)
    .filter(([, resource]) => resource.Condition === undefined || holds(resource.Condition))
    .map(([id, resource]) => ({
      id,
      type: resource.Type,
      properties: resolve(resource.Properties ?? {}) as Record<string, unknown>,
      identity: identityOf(id),
    }))
}

function parameterValues(template: Template, overrides: Readonly<Record<string, string>>): Map<string, unknown> {
  const declared = template.Parameters ?? {}
  for (const name of Object.keys(overrides)) {
    if (!(name in declared)) throw new TemplateError(`The template has no parameter ${name}.`)
  }
  return new Map(
    Object.entries(declared).map(([name, parameter]) => [name, parameterValue(name, parameter, overrides[name])]),
  )
}

function parameterValue(name: string, parameter: Parameter, override: string | undefined): unknown {
  const value = override ?? parameter.Default
  if (value === undefined) throw new TemplateError(`The template's parameter ${name} has no default: give it a value.`)
  const text = String(value)
  if (parameter.AllowedValues && !parameter.AllowedValues.map(String).includes(text)) {
    throw new TemplateError(`The parameter ${name} is one of ${parameter.AllowedValues.join(', ')}, not "${text}".`)
  }
  if (parameter.AllowedPattern && !new RegExp(`^(?:${parameter.AllowedPattern})$`).test(text)) {
    throw new TemplateError(`The parameter ${name} does not match ${parameter.AllowedPattern}: "${text}".`)
  }
  if (parameter.Type !== 'CommaDelimitedList' && !parameter.Type.startsWith('List<')) return text
  return text === '' ? [] : text.split(',').map((item) => item.trim())
}

function split(path: string, separator: string): [string, string] {
  const at = path.indexOf(separator)
  return [path.slice(0, at), path.slice(at + 1)]
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const given = (value: unknown): unknown => (value === noValue ? undefined : value)
