import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BadSetting, readSettings } from '../../../../../../infra/local/runtime/settings/settings.ts'

describe('settings', () => {
  it('have defaults', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      dataDirectory: resolve('.local'),
      seed: 'demo',
      timing: 'fast',
      instances: 1,
      randomSeed: undefined,
      adminEmail: 'admin@example.com',
      adminPassword: undefined,
      parameters: { Registration: 'open', LogLevel: 'WARN', TenantRequestsPerSecond: '0' },
    })
  })

  it('become parameters of the template', () => {
    const variables = {
      APP_MODE: 'saas',
      REGISTRATION: 'closed',
      LOG_LEVEL: 'debug',
      PUBLIC_URL: 'https://api.example.com/',
      APP_URL: 'https://app.example.com',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
      TENANT_REQUESTS_PER_SECOND: '50',
    }
    expect(readSettings(variables).parameters).toEqual({
      AppMode: 'saas',
      Registration: 'closed',
      LogLevel: 'DEBUG',
      PublicUrl: 'https://api.example.com',
      AppUrl: 'https://app.example.com',
      CorsOrigins: 'https://app.example.com,http://localhost:5173',
      TenantRequestsPerSecond: '50',
    })
  })

  it('keep the issuer as it is given, because tokens name it exactly so', () => {
    const { parameters } = readSettings({ SSO_ISSUER: 'https://login.acme.test/', SSO_DOMAINS: 'acme.test=acme' })
    expect(parameters).toMatchObject({ SsoIssuer: 'https://login.acme.test/', SsoDomains: 'acme.test=acme' })
  })

  it('treat an empty variable as unset', () => {
    expect(readSettings({ PORT: '', APP_MODE: '', CORS_ORIGINS: '' })).toEqual(readSettings({}))
  })

  it.each([
    ['MAIL_PASSWORD_SECRET', 'arn:x', 'MAIL_PASSWORD_SECRET is for deployments on AWS: here, use MAIL_PASSWORD.'],
    ['PORT', 'http', 'PORT is a number from 0 to 65535, not "http".'],
    ['PORT', '65536', 'PORT is a number from 0 to 65535, not "65536".'],
    ['TENANT_REQUESTS_PER_SECOND', 'many', 'TENANT_REQUESTS_PER_SECOND is a number from 0 to 999999, not "many".'],
    ['SEED', 'full', 'SEED is one of demo, none, not "full".'],
    ['APP_MODE', 'multi', 'APP_MODE is one of single, saas, not "multi".'],
    ['REGISTRATION', 'yes', 'REGISTRATION is one of open, closed, not "yes".'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is one of DEBUG, INFO, WARN, ERROR, not "LOUD".'],
    ['PUBLIC_URL', 'example.com', 'PUBLIC_URL is an http or https address without query, not "example.com".'],
    ['APP_URL', 'https://x.test/?a=1', 'APP_URL is an http or https address without query, not "https://x.test/?a=1".'],
    ['SSO_DOMAINS', 'acme.com', 'SSO_DOMAINS is a list like acme.com=acme,acme.org=acme, not "acme.com".'],
    ['SSO_ISSUER', 'acme', 'SSO_ISSUER is an http or https address without query, not "acme".'],
    [
      'CORS_ORIGINS',
      'https://a.test,https://b.test/path',
      'CORS_ORIGINS is a list of origins like https://app.example.com, separated by commas; "https://b.test/path" is none.',
    ],
    ['ADMIN_EMAIL', 'admin', 'ADMIN_EMAIL is an e-mail address, not "admin".'],
  ])('reject %s=%s in one line', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(new BadSetting(message))
  })
})

describe("settings of AWS's time", () => {
  it('are read', () => {
    const settings = readSettings({ LOCAL_TIMING: 'aws', LOCAL_INSTANCES: '3', LOCAL_SEED: '0' })
    expect(settings).toMatchObject({ timing: 'aws', instances: 3, randomSeed: 0 })
  })

  it.each([
    [{ LOCAL_TIMING: 'asw' }, 'LOCAL_TIMING is one of fast, aws, not "asw". Did you mean aws?'],
    [{ LOCAL_INSTANCES: '0' }, 'LOCAL_INSTANCES is a whole number from 1 to 20, not "0".'],
    [{ LOCAL_INSTANCES: 'three' }, 'LOCAL_INSTANCES is a whole number from 1 to 20, not "three".'],
    [{ LOCAL_SEED: '-1' }, 'LOCAL_SEED is a whole number from 0 to 2147483647, not "-1".'],
  ])('are refused: %j', (given, message) => expect(() => readSettings(given)).toThrow(new BadSetting(message)))
})
