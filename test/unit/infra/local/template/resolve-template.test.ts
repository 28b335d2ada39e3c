import { describe, expect, it } from 'vitest'
import { mergeTemplates } from '../../../../../infra/local/template/read-templates.ts'
import { resolveTemplate } from '../../../../../infra/local/template/resolve-template.ts'
import type { Resource, Template } from '../../../../../infra/local/template/resolve-template.ts'
import { identifyResource } from '../../../../../infra/local/template/resource-types.ts'

const location = { region: 'us-east-1', accountId: '000000000000', stackName: 'local' }

function resolve(template: Template, parameters: Record<string, string> = {}): Resource[] {
  return resolveTemplate(template, {
    location,
    parameters,
    identify: (id, type, property) =>
      identifyResource(id, type, property, { ...location, url: 'http://localhost:3000' }),
  })
}

/** What one value resolves to. */
function valueOf(value: unknown, more: Partial<Template> = {}, parameters: Record<string, string> = {}): unknown {
  const Probe = { Type: 'AWS::Logs::LogGroup', Properties: { value } }
  return resolve({ ...more, Resources: { ...more.Resources, Probe } }, parameters).find(({ id }) => id === 'Probe')!
    .properties['value']
}

const Resources = {
  Table: { Type: 'AWS::DynamoDB::Table' },
  Queue: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
  Bucket: { Type: 'AWS::S3::Bucket' },
  Named: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::Sub': '${AWS::Region}-jobs' } } },
  Fn: { Type: 'AWS::Lambda::Function' },
  Url: { Type: 'AWS::Lambda::Url', Properties: { TargetFunctionArn: { 'Fn::GetAtt': ['Fn', 'Arn'] } } },
  Api: { Type: 'AWS::ApiGatewayV2::Api' },
  Role: { Type: 'AWS::IAM::Role' },
}

describe('a template value', () => {
  it.each<[string, unknown, unknown]>([
    ['a table by name', { Ref: 'Table' }, 'Table'],
    ['a table by ARN', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Table'],
    ['an attribute in dotted form', { 'Fn::GetAtt': 'Queue.QueueName' }, 'Queue.fifo'],
    ['a queue by address', { Ref: 'Queue' }, 'http://sqs.in-process/000000000000/Queue.fifo'],
    [
      'a queue named by an intrinsic',
      { 'Fn::GetAtt': ['Named', 'Arn'] },
      'arn:aws:sqs:us-east-1:000000000000:us-east-1-jobs',
    ],
    ['a bucket in lower case', { Ref: 'Bucket' }, 'bucket'],
    ['the API at the gateway', { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, 'http://localhost:3000'],
    [
      'a function address on the gateway',
      { 'Fn::GetAtt': ['Url', 'FunctionUrl'] },
      'http://localhost:3000/_local/functions/Fn/',
    ],
    [
      'a right that is not run, by some ARN',
      { 'Fn::GetAtt': ['Role', 'Arn'] },
      'arn:aws:local:us-east-1:000000000000:Role',
    ],
    ['joined parts', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }]] }, 'a-us-east-1'],
    [
      'substituted names',
      { 'Fn::Sub': 'x:${Table}:${Table.Arn}:${!Literal}' },
      'x:Table:arn:aws:dynamodb:us-east-1:000000000000:table/Table:${Literal}',
    ],
    ['substituted own names', { 'Fn::Sub': ['${a}/${Table}', { a: { Ref: 'Bucket' } }] }, 'bucket/Table'],
    ['a part of a split text', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    ['a list without its absent items', ['a', { Ref: 'AWS::NoValue' }], ['a']],
    ['an object without its absent members', { a: 1, b: { Ref: 'AWS::NoValue' } }, { a: 1 }],
    ['an object that only looks like an intrinsic', { Ref2: 'Table' }, { Ref2: 'Table' }],
  ])('resolves %s', (_, value, expected) => {
    expect(valueOf(value, { Resources })).toEqual(expected)
  })

  const Parameters = {
    Mode: { Type: 'String', Default: 'single', AllowedValues: ['single', 'saas'] },
    Origins: { Type: 'CommaDelimitedList', Default: '' },
    Url: { Type: 'String', Default: '', AllowedPattern: '(https?://.*)?' },
  }
  const Conditions = {
    IsSaas: { 'Fn::Equals': [{ Ref: 'Mode' }, 'saas'] },
    IsSingle: { 'Fn::Not': [{ Condition: 'IsSaas' }] },
    Both: { 'Fn::And': [{ Condition: 'IsSaas' }, { Condition: 'IsSingle' }] },
    Either: { 'Fn::Or': [{ Condition: 'IsSaas' }, { Condition: 'IsSingle' }] },
  }

  it.each<[string, Record<string, string>, unknown]>([
    ['IsSaas', {}, 'no'],
    ['IsSaas', { Mode: 'saas' }, 'yes'],
    ['IsSingle', {}, 'yes'],
    ['Both', {}, 'no'],
    ['Either', {}, 'yes'],
  ])('chooses by the condition %s with %j', (name, parameters, expected) => {
    expect(valueOf({ 'Fn::If': [name, 'yes', 'no'] }, { Parameters, Conditions }, parameters)).toBe(expected)
  })

  it('splits a list parameter', () => {
    expect(valueOf({ Ref: 'Origins' }, { Parameters })).toEqual([])
    expect(valueOf({ Ref: 'Origins' }, { Parameters }, { Origins: 'a, b' })).toEqual(['a', 'b'])
  })

  it.each<[string, unknown, Record<string, string>, string]>([
    ['an unknown parameter', 'x', { Nope: '1' }, 'The template has no parameter Nope.'],
    ['a value that is not allowed', 'x', { Mode: 'many' }, 'The parameter Mode is one of single, saas, not "many".'],
    [
      'a value that does not match',
      'x',
      { Url: 'ftp://x' },
      'The parameter Url does not match (https?://.*)?: "ftp://x".',
    ],
    ['an unknown reference', { Ref: 'Nothing' }, {}, 'The template refers to Nothing, which it does not hold.'],
    ['an unknown intrinsic', { 'Fn::Cidr': 'x' }, {}, 'The local cloud does not know Fn::Cidr.'],
    [
      'an unknown attribute',
      { 'Fn::GetAtt': ['Table', 'Colour'] },
      {},
      'The local cloud knows no attribute Colour of AWS::DynamoDB::Table (Table).',
    ],
  ])('refuses %s', (_, value, parameters, message) => {
    expect(() => valueOf(value, { Parameters, Resources }, parameters)).toThrow(message)
  })
})

describe('a template', () => {
  it('leaves out resources whose condition does not hold', () => {
    const template = {
      Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
      Resources: { Queue: { Type: 'AWS::SQS::Queue', Condition: 'Never' } },
    }
    expect(resolve(template)).toEqual([])
  })

  it('rejects an unsupported resource type by name', () => {
    const template = { Resources: { Search: { Type: 'AWS::OpenSearchService::Domain' } } }
    expect(() => resolve(template)).toThrow(
      'The local cloud does not run AWS::OpenSearchService::Domain (Search): run it, or list it as needing nothing.',
    )
  })

  it('rejects names that depend on themselves', () => {
    const named = (other: string) => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName: { Ref: other } } })
    expect(() => resolve({ Resources: { A: named('B'), B: named('A') } })).toThrow('depends on itself')
  })
})

describe('templates of several stacks', () => {
  const data: Template = {
    Resources: { Table: { Type: 'AWS::DynamoDB::GlobalTable' } },
    Outputs: { Name: { Value: { Ref: 'Table' }, Export: { Name: 'data:table' } } },
  }
  const probe = (name: string): Template => ({
    Parameters: { Level: { Type: 'String', Default: 'INFO' } },
    Resources: { Probe: { Type: 'AWS::Logs::LogGroup', Properties: { value: { 'Fn::ImportValue': name } } } },
  })

  it('are one: what one exports, the other imports by name', () => {
    const merged = resolve(mergeTemplates([probe('data:table'), data]))
    expect(merged.find(({ id }) => id === 'Probe')?.properties['value']).toBe('Table')
    expect(() => resolve(mergeTemplates([probe('data:other'), data]))).toThrow('No stack exports data:other.')
  })

  it('are one: what is an output of one, the other reads by name', () => {
    const reader = (OutputName: string): Template => ({
      Resources: {
        Probe: {
          Type: 'AWS::Logs::LogGroup',
          Properties: { value: { 'Fn::GetStackOutput': { StackName: 'data', OutputName, Region: 'local' } } },
        },
      },
    })
    const merged = resolve(mergeTemplates([reader('Name'), data]))
    expect(merged.find(({ id }) => id === 'Probe')?.properties['value']).toBe('Table')
    expect(() => resolve(mergeTemplates([reader('Other'), data]))).toThrow('No stack has the output Other.')
  })

  it('may share a parameter, but give no name to different things', () => {
    const other = { ...probe('x'), Resources: {} }
    expect(Object.keys(mergeTemplates([probe('x'), other]).Parameters ?? {})).toEqual(['Level'])
    const lower = { Parameters: { Level: { Type: 'String', Default: 'DEBUG' } }, Resources: {} }
    expect(() => mergeTemplates([probe('x'), lower])).toThrow('Two stacks give the name Level to different parameters.')
    expect(() => mergeTemplates([data, data])).toThrow('Two stacks give the name Table to different resources.')
  })
})
