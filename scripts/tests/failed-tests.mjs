// Reporter for Node's test runner: writes each failed test and each suite with failed tests as a line of JSON.
// https://nodejs.org/api/test.html#custom-reporters

export default async function* failedTests(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue
    const isSuite = data.details.error?.failureType === 'subtestsFailed'
    yield `${JSON.stringify({ file: data.testFile, name: data.name, isSuite })}\n`
  }
}
