/** A hand-written CloudFormation template with the smallest resources the local cloud can run. */

export type Resources = Record<string, { Type: string; Properties?: Record<string, unknown>; Condition?: string }>

export const tinyTable = (more: Record<string, unknown> = {}): Resources[string] => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    ...more,
  },
})

/** A function from the one bundle `asset.code`, named by its export. */
export const tinyFunction = (handler: string, more: Record<string, unknown> = {}): Resources[string] => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Code: { S3Bucket: 'assets', S3Key: 'code.zip' },
    Handler: `index.${handler}`,
    Runtime: 'nodejs24.x',
    Timeout: 5,
    Environment: {
      Variables: {
        TABLE_NAME: { Ref: 'Table' },
        ...(more['Variables'] as object),
      },
    },
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== 'Variables')),
  },
})

/** An HTTP API with one route per entry: `{ 'GET /things/{id}': 'ThingsFunction' }`. */
export function tinyApi(routes: Record<string, string>, cors?: object): Resources {
  const functions = [...new Set(Object.values(routes))]
  return {
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'tiny', ProtocolType: 'HTTP', ...(cors && { CorsConfiguration: cors }) },
    },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
    },
    ...Object.fromEntries(
      functions.map((id) => [
        `${id}Integration`,
        {
          Type: 'AWS::ApiGatewayV2::Integration',
          Properties: {
            ApiId: { Ref: 'Api' },
            IntegrationType: 'AWS_PROXY',
            IntegrationUri: { 'Fn::GetAtt': [id, 'Arn'] },
            PayloadFormatVersion: '2.0',
          },
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(routes).map(([routeKey, id], at) => [
        `Route${at}`,
        {
          Type: 'AWS::ApiGatewayV2::Route',
          Properties: {
            ApiId: { Ref: 'Api' },
            RouteKey: routeKey,
            Target: { 'Fn::Join': ['', ['integrations/', { Ref: `${id}Integration` }]] },
          },
        },
      ]),
    ),
  }
}

export const tinyMapping = (
  functionId: string,
  sourceArn: unknown,
  more: Record<string, unknown> = {},
): Resources[string] => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: { FunctionName: { Ref: functionId }, EventSourceArn: sourceArn, ...more },
})

export const streamOf = (tableId: string): object => ({ 'Fn::GetAtt': [tableId, 'StreamArn'] })
export const arnOf = (id: string): object => ({ 'Fn::GetAtt': [id, 'Arn'] })
