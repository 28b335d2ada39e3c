import { describe, expect, it } from 'vitest'
import { readStack } from '../../../../infra/operate/cloud-formation.ts'
import { deploySteps, stageOf } from '../../../../infra/operate/deploy-steps.ts'

describe('npm run deploy', () => {
  const given = ['-c', 'stage=prod', '--require-approval', 'never']
  const all = ['deploy', '--all', ...given]
  const first = ['deploy', 'EntityWorkflow-prod-Data', ...given, '-c', 'protect=false']

  const stack = (status: string | undefined, parameters: Record<string, string> = {}) =>
    status === undefined ? undefined : { status, parameters, outputs: {} }

  it.each([undefined, 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'DELETE_FAILED'])(
    'makes the data stack without protection while its status is %s, then protects it',
    (status) => expect(deploySteps(given, { data: stack(status) })).toEqual([first, all]),
  )

  it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'UPDATE_ROLLBACK_FAILED'])(
    'never takes the protection from a stack that was made: %s',
    (status) => expect(deploySteps(given, { data: stack(status) })).toEqual([all]),
  )

  it.each([
    [['-c', 'stage=prod'], 'prod'],
    [['--context', 'stage=two'], 'two'],
    [['--context=stage=three'], 'three'],
    [['-c', 'other=1', '-c', 'stage=four'], 'four'],
    [[], 'dev'],
  ])('reads the stage of %j: %s', (options, stage) => expect(stageOf(options)).toBe(stage))

  it('gives each parameter to the stacks that have it', () => {
    const options = [
      '--parameters',
      'AppMode=saas',
      '--parameters=CorsOrigins=https://a.test',
      '--parameters=MaxReadRequestUnits=4000',
      '--parameters=AlarmEmail=ops@a.test',
      '--parameters=Production=false',
      '--parameters',
      'X:Y=z',
    ]
    expect(deploySteps(options, { data: stack('CREATE_COMPLETE') })).toEqual([
      [
        'deploy',
        '--all',
        '--parameters',
        'EntityWorkflow-dev:AppMode=saas',
        '--parameters',
        'EntityWorkflow-dev:CorsOrigins=https://a.test',
        '--parameters',
        'EntityWorkflow-dev-Data:MaxReadRequestUnits=4000',
        '--parameters',
        'EntityWorkflow-dev-Monitoring:AlarmEmail=ops@a.test',
        '--parameters',
        'EntityWorkflow-dev:Production=false',
        '--parameters',
        'EntityWorkflow-dev-Monitoring:Production=false',
        '--parameters',
        'X:Y=z',
      ],
    ])
  })
})

describe('a new monitoring stack', () => {
  const stack = (status: string, parameters: Record<string, string> = {}) => ({ status, parameters, outputs: {} })
  const data = stack('CREATE_COMPLETE')
  const service = stack('UPDATE_COMPLETE', {
    AlarmEmail: 'ops@a.test',
    MonthlyBudget: '90',
    Production: 'false',
    RestoredTable: '',
    AppMode: 'saas',
  })

  it.each([undefined, stack('ROLLBACK_COMPLETE')])('takes over what the service was given: %j', (monitoring) => {
    expect(deploySteps(['--parameters', 'MonthlyBudget=70'], { data, service, monitoring })).toEqual([
      [
        'deploy',
        '--all',
        '--parameters',
        'EntityWorkflow-dev-Monitoring:MonthlyBudget=70',
        '--parameters',
        'EntityWorkflow-dev-Monitoring:Production=false',
        '--parameters',
        'EntityWorkflow-dev-Monitoring:AlarmEmail=ops@a.test',
      ],
    ])
  })

  it('keeps its own parameters from then on, and has nothing to take over before', () => {
    const plain = [['deploy', '--all']]
    expect(deploySteps([], { data, service, monitoring: stack('CREATE_COMPLETE') })).toEqual(plain)
    expect(deploySteps([], { data, service: { ...service, status: 'ROLLBACK_COMPLETE' } })).toEqual(plain)
    expect(deploySteps([], { data })).toEqual(plain)
  })
})

describe("CloudFormation's answer about a stack", () => {
  it('gives its status, its parameters and its outputs', () => {
    const xml = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
      <StackStatus>UPDATE_COMPLETE</StackStatus>
      <Parameters><member><ParameterKey>AlarmEmail</ParameterKey><ParameterValue>ops@a.test</ParameterValue></member>
      <member><ParameterKey>AppUrl</ParameterKey><ParameterValue/></member></Parameters>
      <Outputs><member><OutputKey>TableName</OutputKey><OutputValue>restored-1</OutputValue></member>
      <member><OutputValue>https://a.test/?a=1&amp;b=2</OutputValue><OutputKey>ApiUrl</OutputKey></member></Outputs>
      </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`
    expect(readStack(200, xml)).toEqual({
      status: 'UPDATE_COMPLETE',
      parameters: { AlarmEmail: 'ops@a.test', AppUrl: '' },
      outputs: { TableName: 'restored-1', ApiUrl: 'https://a.test/?a=1&b=2' },
    })
  })

  it('is nothing for a stack that does not exist, and an error for anything else', () => {
    const error = (message: string): string =>
      `<ErrorResponse><Error><Message>${message}</Message></Error></ErrorResponse>`
    expect(readStack(400, error('Stack with id X does not exist'))).toBeUndefined()
    expect(() => readStack(403, error('The security token is invalid'))).toThrow('403: The security token is invalid')
  })
})
