import { describe, expect, it } from 'vitest'
import { readStack } from '../../../../infra/operate/cloud-formation.ts'
import { deploySteps, stageOf } from '../../../../infra/operate/deploy-steps.ts'

describe('npm run deploy', () => {
  const given = ['-c', 'stage=prod', '--require-approval', 'never']
  const all = ['deploy', '--all', ...given]
  const first = ['deploy', 'EntityWorkflow-prod-Data', ...given, '-c', 'protect=false']

  it.each([undefined, 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'DELETE_FAILED'])(
    'makes the data stack without protection while its status is %s, then protects it',
    (status) => expect(deploySteps(given, status)).toEqual([first, all]),
  )

  it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'UPDATE_ROLLBACK_FAILED'])(
    'never takes the protection from a stack that was made: %s',
    (status) => expect(deploySteps(given, status)).toEqual([all]),
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
      '--parameters',
      'X:Y=z',
    ]
    expect(deploySteps(options, 'CREATE_COMPLETE')).toEqual([
      [
        'deploy',
        '--all',
        '--parameters',
        'EntityWorkflow-dev:AppMode=saas',
        '--parameters',
        'EntityWorkflow-dev:CorsOrigins=https://a.test',
        '--parameters',
        'EntityWorkflow-dev-Data:CorsOrigins=https://a.test',
        '--parameters',
        'EntityWorkflow-dev-Data:MaxReadRequestUnits=4000',
        '--parameters',
        'X:Y=z',
      ],
    ])
  })
})

describe("CloudFormation's answer about a stack", () => {
  it('gives its status and its outputs', () => {
    const xml = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
      <StackStatus>UPDATE_COMPLETE</StackStatus>
      <Outputs><member><OutputKey>TableName</OutputKey><OutputValue>restored-1</OutputValue></member>
      <member><OutputValue>https://a.test/?a=1&amp;b=2</OutputValue><OutputKey>ApiUrl</OutputKey></member></Outputs>
      </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`
    expect(readStack(200, xml)).toEqual({
      status: 'UPDATE_COMPLETE',
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
