import { describe, expect, it } from 'vitest'
import { manifest, resources, resourcesOf, template, templateText } from './synthesized.ts'

describe('the stack', () => {
  it('stays well below the 500 resources of CloudFormation', () => {
    expect(resources.length).toBeLessThan(480)
  })

  it('has outputs for the operator', () => {
    expect(Object.keys(template.Outputs).toSorted()).toEqual([
      'AccountMailDlqUrl',
      'AlarmTopic',
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
      AppUrl: '',
      SsoIssuer: '',
      SsoAudience: '',
      SsoJwksUrl: '',
      SsoGroupsClaim: '',
      SsoDomains: '',
      SesDomains: '',
      StreamOwners: '',
      EventBusOwners: '',
      SmsTenants: '',
      TenantRequestsPerSecond: '500',
      PurgeReadUnits: '200',
      TrustedProxies: '',
      CorsOrigins: '',
      AlarmEmail: '',
      MailHost: '',
      MailPort: '',
      MailUsername: '',
      MailPassword: '',
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

  it('has termination protection and tags', () => {
    const stack = Object.values(manifest.artifacts).find(({ type }) => type === 'aws:cloudformation:stack')
    expect(stack?.properties).toMatchObject({
      terminationProtection: true,
      tags: { service: 'entity-workflow', stage: 'dev' },
    })
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
      expect(deletionPolicy).toBe('Retain')
    }
  })

  it('contains no secrets, account ids or local paths', () => {
    // Names of a parameter, of what a key seals, and of routes; none of them has a value here.
    const text = templateText.replaceAll(
      /MAIL_PASSWORD|MailPassword|channel\.\*\.password|MFA_SECRET|ANY \/api\/password\/|ANYapipassword/g,
      '',
    )
    expect(text).not.toMatch(/AKIA[0-9A-Z]{16}|-----BEGIN|password|secret/i)
    expect(template.Parameters.MailPassword).toMatchObject({ NoEcho: true, Default: '' })
    expect(templateText).not.toMatch(/\b\d{12}\b/)
    expect(templateText).not.toMatch(/"\/(home|root|work|tmp|Users)\//)
  })
})
