import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { signedHeaders } from './sign-request.ts'

/** A stack as CloudFormation describes it. */
export interface DeployedStack {
  readonly status: string
  readonly parameters: Readonly<Record<string, string>>
  readonly outputs: Readonly<Record<string, string>>
}

/** Looks a stack up in the account and region of the environment; undefined when there is none. */
export async function describeStack(name: string): Promise<DeployedStack | undefined> {
  const client = new DynamoDBClient({})
  try {
    const [region, credentials] = [await client.config.region(), await client.config.credentials()]
    const url = new URL(
      `https://cloudformation.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}/`,
    )
    const body = new URLSearchParams({ Action: 'DescribeStacks', Version: '2010-05-15', StackName: name }).toString()
    const headers = signedHeaders(
      { method: 'POST', url, body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      credentials,
      { region, service: 'cloudformation', now: Date.now() },
    )
    const answer = await fetch(url, { method: 'POST', headers, body })
    return readStack(answer.status, await answer.text())
  } finally {
    client.destroy()
  }
}

/** Reads CloudFormation's answer, which is XML. Throws what it says unless it is that there is no such stack. */
export function readStack(status: number, xml: string): DeployedStack | undefined {
  if (status !== 200) {
    const message = textOf(xml, 'Message') ?? xml.slice(0, 300)
    if (/does not exist/.test(message)) return undefined
    throw new Error(`CloudFormation answered ${status}: ${message}`)
  }
  return {
    status: textOf(xml, 'StackStatus') ?? '',
    parameters: valuesOf(xml, 'Parameter'),
    outputs: valuesOf(xml, 'Output'),
  }
}

function valuesOf(xml: string, kind: 'Parameter' | 'Output'): Record<string, string> {
  const members = (textOf(xml, `${kind}s`) ?? '').matchAll(/<member>([\s\S]*?)<\/member>/g)
  return Object.fromEntries(
    [...members].map(([, one = '']) => [textOf(one, `${kind}Key`) ?? '', textOf(one, `${kind}Value`) ?? '']),
  )
}

function textOf(xml: string, element: string): string | undefined {
  const found = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(xml)?.[1]
  return found
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
