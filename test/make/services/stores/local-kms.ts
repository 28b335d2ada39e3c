/** A client of the embedded KMS with one key, for tests of what is sealed. */
import { KMSClient } from '@aws-sdk/client-kms'
import { openKms } from '../../../../infra/local/kms/open.ts'
import { openCallRecord } from '../../../../infra/local/sdk/call-record.ts'
import { openFaultPoint } from '../../../../infra/local/sdk/faults/fault-point.ts'
import { openMeter } from '../../../../infra/local/sdk/meter/meter.ts'
import { openProviders } from '../../../../infra/local/sdk/providers.ts'
import { createFairTurns } from '../../../../infra/local/turns/fair-turns.ts'
import { createSecretBox, type SecretBox } from '../../../../shared/platform/secrets/secret-box.ts'

/** The ARN of its only key. */
export const testKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/Test'

const noObjects = (): Promise<never> => Promise.reject(new Error('there are no objects here'))

/** A client of a KMS whose key file holds `secret`. */
export function localKms(secret: Buffer): KMSClient {
  const { clientOptions } = openProviders({
    region: 'eu-central-1',
    accountId: '111122223333',
    json: { kms: openKms({ keyArns: [testKeyArn], secret }) },
    objectStore: { request: noObjects, endpoint: noObjects, secret: '' },
    faults: openFaultPoint(),
    record: openCallRecord(false),
    meter: openMeter(),
    turns: createFairTurns(),
    permissions: new Map(),
  })
  return new KMSClient(clientOptions('kms'))
}

/** A secret box over the embedded KMS. */
export const testSecretBox = (): SecretBox => createSecretBox(testKeyArn, localKms(Buffer.alloc(32, 7)))
