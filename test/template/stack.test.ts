import { describe, expect, it } from 'vitest'
import { deploySteps } from '../../infra/operate/deploy-steps.ts'
import {
  functionNamed,
  manifest,
  resources,
  resourcesOf,
  stacks,
  target,
  template,
  templateTexts,
  theOnly,
} from './synthesized.ts'

describe('the stacks', () => {
  it.each(Object.entries(stacks))('%s stays well below the 500 resources of CloudFormation', (_, { Resources }) => {
    expect(Object.keys(Resources).length).toBeLessThan(400)
  })

  it.each(Object.entries(stacks))('%s stays well below the 200 outputs of CloudFormation', (_, { Outputs }) => {
    expect(Object.keys(Outputs).length).toBeLessThan(150)
  })

  it('are watched by one that blocks no change of theirs: it reads outputs, and exports and imports nothing', () => {
    const text = JSON.stringify(stacks.monitoring)
    expect(text).not.toContain('Fn::ImportValue')
    for (const one of [stacks.service, stacks.monitoring])
      expect(Object.values(one.Outputs).filter(({ Export }) => Export !== undefined)).toEqual([])
    const read = [...text.matchAll(/"StackName":"([^"]+)","Region":\{"Ref":"AWS::Region"\},"OutputName":"([^"]+)"/g)]
    expect(read).toHaveLength(text.split('Fn::GetStackOutput').length - 1)
    const outputs = { 'EntityWorkflow-dev': stacks.service.Outputs, 'EntityWorkflow-dev-Data': stacks.data.Outputs }
    const names = Object.entries(outputs).flatMap(([stack, own]) => Object.keys(own).map((name) => `${stack} ${name}`))
    expect(names).toEqual(expect.arrayContaining(read.map(([, stack, name]) => `${stack} ${name}`)))
    // Nothing reads it in turn, so it can be deleted at any time.
    expect(JSON.stringify([stacks.data, stacks.service])).not.toContain('Fn::GetStackOutput')
    expect(manifest.artifacts['EntityWorkflow-dev-Monitoring']?.dependencies).toEqual(
      expect.arrayContaining(['EntityWorkflow-dev', 'EntityWorkflow-dev-Data']),
    )
    expect(manifest.artifacts['EntityWorkflow-dev']?.dependencies).not.toContain('EntityWorkflow-dev-Monitoring')
  })

  it('are updated with each deployment where they read names of others, which are read then only', () => {
    expect(Object.keys(stacks.monitoring.Outputs).toSorted()).toEqual(['AlarmTopic', 'NamesReadAt'])
    expect(stacks.monitoring.Outputs.NamesReadAt?.Value).toBe('never')
  })

  it.each([
    ['service', stacks.service],
    ['monitoring', stacks.monitoring],
  ])('give each parameter to the stacks that have it: %s', (which, { Parameters }) => {
    const names = Object.keys(Parameters).filter((name) => name !== 'BootstrapVersion')
    const [steps] = deploySteps(
      names.flatMap((name) => ['--parameters', `${name}=x`]),
      { data: { status: 'CREATE_COMPLETE', parameters: {}, outputs: {} } },
    )
    const stack = which === 'service' ? 'EntityWorkflow-dev' : 'EntityWorkflow-dev-Monitoring'
    expect(steps?.filter((option) => option.startsWith(`${stack}:`))).toEqual(names.map((name) => `${stack}:${name}=x`))
  })

  it('keep what tells the operator apart from the service', () => {
    const telling = /^AWS::(CloudWatch|SNS|Budgets)::/
    const typesOf = ({ Resources }: (typeof stacks)['data']): string[] =>
      Object.values(Resources).map(({ Type }) => Type)
    expect(typesOf(stacks.monitoring).filter((type) => !telling.test(type))).toEqual([])
    // That one takes deployments back.
    expect(typesOf(stacks.service).filter((type) => telling.test(type))).toEqual(['AWS::CloudWatch::Alarm'])
  })

  it('keep what holds data apart from the service', () => {
    const stateful = /^AWS::(DynamoDB|S3|KMS)::/
    const typesOf = ({ Resources }: (typeof stacks)['data']): string[] =>
      Object.values(Resources).map(({ Type }) => Type)
    expect(typesOf(stacks.data).filter((type) => !stateful.test(type))).toEqual([])
    expect(typesOf(stacks.service).filter((type) => stateful.test(type))).toEqual([])
  })

  it('clean away what a failed creation made, and keep data from then on', () => {
    const policies = Object.entries(stacks.data.Resources).map(([id, one]) => [
      id,
      one.DeletionPolicy,
      one.UpdateReplacePolicy,
      one.Type,
    ])
    const kept = policies.filter(([, , , type]) => type !== 'AWS::S3::BucketPolicy')
    expect(kept.length).toBe(5)
    for (const policy of kept) expect(policy.slice(1, 3)).toEqual(['RetainExceptOnCreate', 'Retain'])
    // Nothing of the service is retained: a deployment that failed anywhere is deleted and repeated.
    const service = Object.values(stacks.service.Resources)
    expect(service.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete')).toEqual([])
    const names = new Set(service.flatMap(({ Properties = {} }) => Object.keys(Properties)))
    expect([...names].filter((name) => name.startsWith('DeletionProtection'))).toEqual([])
  })

  it('has outputs for the operator', () => {
    expect(
      Object.keys(stacks.service.Outputs)
        .filter((name) => !name.startsWith('PublishOutput'))
        .toSorted(),
    ).toEqual([
      'AccountMailDlqUrl',
      'AmqpDlqUrl',
      'ApiUrl',
      'CleanupDlqUrl',
      'EvaluationsDlqUrl',
      'EventbridgeDlqUrl',
      'ExpansionsDlqUrl',
      'FailedBatchesBucket',
      'FilesBucketName',
      'IncomingDlqUrl',
      'JobsDlqUrl',
      'MailboxesDlqUrl',
      'MailsDlqUrl',
      'MessengerDlqUrl',
      'ProcessesDlqUrl',
      'RollupsDlqUrl',
      'SearchDlqUrl',
      'SmsDlqUrl',
      'StreamsDlqUrl',
      'SubscriptionsDlqUrl',
      'TableName',
      'WebhooksDlqUrl',
    ])
  })

  it('deploys without any parameter', () => {
    const own = Object.entries(template.Parameters).filter(([name]) => name !== 'BootstrapVersion')
    expect(Object.fromEntries(own.map(([name, { Default }]) => [name, Default]))).toEqual({
      AppMode: 'single',
      Registration: '',
      EmailVerification: '',
      LogLevel: 'INFO',
      PublicUrl: '',
      MessengerDirect: 'false',
      Production: 'true',
      Rollout: 'canary',
      AppUrl: '',
      SsoIssuer: '',
      SsoAudience: '',
      SsoJwksUrl: '',
      SsoGroupsClaim: '',
      SsoDomains: '',
      SesDomains: '',
      SesConfigurationSet: 'true',
      StreamOwners: '',
      EventBusOwners: '',
      SmsTenants: '',
      TenantRequestsPerSecond: '500',
      PurgeReadUnits: '200',
      TrustedProxies: '',
      CorsOrigins: '',
      RestoredTable: '',
      RestoredTableStream: '',
      AlarmEmail: '',
      MonthlyBudget: '50',
      Tracing: 'off',
      MaxReadRequestUnits: '0',
      MaxWriteRequestUnits: '0',
      MailHost: '',
      MailPort: '',
      MailUsername: '',
      MailPassword: '',
      MailPasswordSecret: '',
      MailEncryption: '',
      MailFromAddress: '',
      MailFromName: '',
    })
    for (const [, { Type, Default, AllowedValues = [Default] }] of own) {
      expect(Type).toBe('String')
      expect(AllowedValues).toContain(Default)
    }
  })

  it.each([
    ['', true],
    ['https://service.example', true],
    ['https://service.example:8443/base', true],
    ['https://service.example/', false],
    ['ftp://service.example', false],
    ['https://a b', false],
  ])('takes %j as an address: %s', (address, accepted) => {
    expect(new RegExp(template.Parameters.PublicUrl?.AllowedPattern, 'u').test(address)).toBe(accepted)
  })

  it.each([
    ['EntityWorkflow-dev-Data', true],
    ['EntityWorkflow-dev', false],
    ['EntityWorkflow-dev-Monitoring', false],
  ])('%s has tags, and termination protection where there is data: %s', (name, terminationProtection) => {
    expect(manifest.artifacts[name]?.properties).toMatchObject({ tags: { service: 'entity-workflow', stage: 'dev' } })
    expect(manifest.artifacts[name]?.properties?.terminationProtection ?? false).toBe(terminationProtection)
  })

  it('can use a table that was restored, with its stream, in place of its own', () => {
    const own = theOnly('AWS::DynamoDB::GlobalTable').id
    const [condition, restored, otherwise] =
      functionNamed('records').properties.Environment.Variables.TABLE_NAME['Fn::If']
    expect(template.Conditions[condition]).toEqual({ 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'RestoredTable' }, ''] }] })
    expect([restored, target(otherwise)]).toEqual([{ Ref: 'RestoredTable' }, own])
    const rule = JSON.stringify(stacks.service.Rules?.RestoredTableHasStream)
    expect(rule).toContain('Give RestoredTable and RestoredTableStream together')
    const pattern = new RegExp(template.Parameters.RestoredTableStream?.AllowedPattern, 'u')
    expect(pattern.test('arn:aws:dynamodb:eu-central-1:1234:table/a-b.c/stream/2027-01-01T00:00:00.000')).toBe(true)
    expect(pattern.test('arn:aws:dynamodb:eu-central-1:1234:table/a-b.c')).toBe(false)
  })

  it('has no physical names, which would collide between stages', () => {
    const named = ['TableName', 'BucketName', 'QueueName', 'FunctionName', 'RoleName', 'LogGroupName']
    const isName = ({ type }: { type: string }, key: string): boolean =>
      key !== 'FunctionName' || type === 'AWS::Lambda::Function'
    expect(
      resources.filter((resource) => named.some((key) => key in resource.properties && isName(resource, key))),
    ).toEqual([])
  })

  it('has private buckets that are retained', () => {
    for (const { properties, deletionPolicy } of resourcesOf('AWS::S3::Bucket')) {
      expect(properties.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      })
      expect(deletionPolicy).toBe('RetainExceptOnCreate')
    }
  })

  it('contains no secrets, account ids or local paths', () => {
    // Names of a parameter, of what a key seals, and of routes; none of them has a value here.
    const text = templateTexts
      .join('\n')
      .replaceAll(
        /MAIL_PASSWORD_SECRET|MailPasswordSecret|MailPasswordIsSecret|secretsmanager:GetSecretValue|:secretsmanager:|:secret:|Secrets Manager of the password|MAIL_PASSWORD|MailPassword|channel\.\*\.password|mailbox\.\*\.secret|channel\.\*\.auth\.client_secret|MFA_SECRET|SSO_CLIENT_SECRET|ANY \/api\/password\/|ANYapipassword/g,
        '',
      )
    expect(text).not.toMatch(/AKIA[0-9A-Z]{16}|-----BEGIN|password|secret/i)
    expect(template.Parameters.MailPassword).toMatchObject({ NoEcho: true, Default: '' })
    expect(templateTexts.join('\n')).not.toMatch(/\b\d{12}\b/)
    expect(templateTexts.join('\n')).not.toMatch(/"\/(home|root|work|tmp|Users)\//)
  })
})
