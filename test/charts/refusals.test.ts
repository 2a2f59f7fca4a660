// Wrong values fail with what to do: one test for each rule.
import { refusal, render, template } from './render.ts';

const gone = ['kafka.existingSecret', 'mail.existingSecret', 'mongodb.existingSecret', 'redis.existingSecret'];

describe('what is missing', () => {
  test.each([
    [
      'mongodb.existingSecret=',
      /components\.identity\.mongodb\.existingSecret .* is needed: create a secret whose key `uri`/,
    ],
    ['redis.existingSecret=', /redis\.existingSecret is needed: create a secret whose key `url`/],
    ['kafka.existingSecret=', /kafka\.existingSecret is needed: create a secret whose key `brokers`/],
    ['mail.existingSecret=', /mail\.existingSecret is needed: create a secret whose key `url`/],
    ['secrets.generate=false', /existingSecret is needed, because secrets\.generate is off/],
    ['ingress.host=', /ingress\.host is needed/],
    [
      'components.loyalty=null',
      /components\.loyalty is missing: do not set it to null; `components\.loyalty\.replicas: 0`/,
    ],
  ])('%s', async (set, words) => {
    expect(await refusal('ingress', set)).toMatch(words);
  });

  test.each(gone)('%s may be left out of a trial', async (path) => {
    expect(await refusal('trial', `${path}=`)).toBe('it is taken');
    expect(await refusal('ingress', `${path}=`)).toMatch(/set trial\.enabled=true to try/);
  });

  test.each([
    ['secrets.caller', 'secrets.caller.existingSecret='],
    ['components.identity', 'components.identity.existingSecret='],
    ['components.giftcards', 'components.giftcards.existingSecret='],
    ['components.webhooks', 'components.webhooks.existingSecret='],
  ])('with secrets.generate off, %s needs its secret', async (path, set) => {
    expect(await refusal('external', set)).toContain(
      `${path}.existingSecret is needed, because secrets.generate is off`,
    );
  });

  test('a trial with a log-in at Kafka needs Kafka’s secret', async () => {
    expect(await refusal('trial', 'kafka.saslMechanism=plain')).toContain(
      'kafka.existingSecret is needed when kafka.saslMechanism is given',
    );
    expect(await refusal('trial', 'kafka.saslMechanism=plain', 'kafka.existingSecret=ours')).toBe('it is taken');
  });

  test.each(['httpRoute.host=', 'httpRoute.parentRefs=null'])('%s', async (set) => {
    expect(await refusal('gateway-api', set)).toContain('httpRoute.host and httpRoute.parentRefs are needed');
  });
});

describe('what contradicts itself', () => {
  test.each([
    [['httpRoute.enabled=true', 'httpRoute.host=a.example', 'httpRoute.parentRefs[0].name=a'], /both true: choose one/],
    [
      ['components.accounts.replicas=1'],
      /components\.accounts: there is no such component\. There are: gateway, identity/,
    ],
    [
      ['defaults.autoscaling.enabled=true', 'components.webhooks.autoscaling.minReplicas=20'],
      /components\.webhooks\.autoscaling: minReplicas \(20\) is more than maxReplicas \(10\): raise maxReplicas/,
    ],
    [
      ['components.gateway.podLabels.app\\.kubernetes\\.io/component=edge'],
      /podLabels: app\.kubernetes\.io\/component is what the chart finds its pods by/,
    ],
    [
      ['components.identity.extraEnv[0].name=MAIL_FROM', 'components.identity.extraEnv[0].value=a@example.com'],
      /components\.identity\.extraEnv: MAIL_FROM is set by the chart already: change the value/,
    ],
  ])('%p', async (sets, words) => {
    expect(await refusal('ingress', ...sets)).toMatch(words);
  });

  test.each([
    ['ANSWER_TIMEOUT_MS', 32_000],
    ['STOP_DRAIN_MS', 17_000],
  ])('a pod that would be killed before it has stopped: the gateway’s %s', async (name, longest) => {
    const variable = 'components.gateway.extraEnv[0]';
    const withMs = (ms: number) => {
      return template('ingress', [`${variable}.name=${name}`], ['--set-string', `${variable}.value=${ms}`]);
    };
    await expect(withMs(longest)).resolves.toHaveLength((await render('ingress')).length);
    await expect(withMs(longest + 1)).rejects.toThrow(
      /components\.gateway: a stop may take 40001 ms .* terminationGracePeriodSeconds \(40\): raise that/,
    );
  });
});

describe('what other charts have elsewhere', () => {
  test.each([
    ['replicaCount=3', 'replicaCount is no value of this chart: use defaults.replicas'],
    ['replicas=3', 'use defaults.replicas'],
    ['resources.limits.memory=1Gi', 'use defaults.resources'],
    ['autoscaling.enabled=true', 'use defaults.autoscaling'],
    ['extraEnv[0].name=A', 'use defaults.extraEnv'],
    ['nodeSelector.disk=fast', 'use defaults.nodeSelector'],
    ['tolerations[0].key=a', 'use defaults.tolerations'],
    ['affinity.podAffinity.a=b', 'use defaults.affinity'],
    ['imagePullSecrets[0].name=a', 'use image.pullSecrets'],
    ['image.name=a', 'use image.repository'],
    ['ingress.hosts[0]=a.example', 'use ingress.host'],
    ['gateway.replicas=3', 'use components.gateway'],
    ['giftcards.replicas=3', 'use components.giftcards'],
    ['mongodb.uri=mongodb://a', 'name that in mongodb.existingSecret'],
    ['redis.url=redis://a', 'name that in redis.existingSecret'],
    ['kafka.brokers=a:9092', 'name that in kafka.existingSecret'],
    ['mail.url=smtp://a', 'name that in mail.existingSecret'],
    ['components.giftcards.mongodb.uri=mongodb://a', 'name that in components.giftcards.mongodb.existingSecret'],
  ])('%s', async (set, advice) => {
    expect(await refusal('ingress', set)).toContain(advice);
  });
});

describe('what the schema refuses, by its path', () => {
  test.each([
    ['ingres.enabled=true', /ingres/],
    ['components.gateway.replica=3', /components\/gateway.*'replica'|components\.gateway.*replica/s],
    ['defaults.replicas=-1', /replicas/],
    ['defaults.replicas=two', /replicas/],
    ['defaults.podDisruptionBudget.maxUnavailable=half', /maxUnavailable/],
    ['defaults.strategy.type=Rolling', /strategy.*type/],
    ['defaults.autoscaling.targetCpu=0', /targetCpu/],
    ['defaults.autoscaling.targetLag=-5', /targetLag/],
    ['defaults.extraEnv[0].name=9LIVES', /extraEnv.*name/],
    ['defaults.terminationGracePeriodSeconds=29', /terminationGracePeriodSeconds/],
    ['defaults.revisionHistoryLimit=0', /revisionHistoryLimit/],
    ['defaults.extraVolumes[0].emptyDir.medium=Memory', /extraVolumes/],
    ['image.pullPolicy=Sometimes', /pullPolicy/],
    ['image.pullSecrets[0]=registry', /pullSecrets/],
    ['publicUrl=cards.example.com', /publicUrl/],
    ['logLevel=loud', /logLevel/],
    ['otlpEndpoint=collector:4318', /otlpEndpoint/],
    ['kafka.saslMechanism=gssapi', /saslMechanism/],
    ['mongodb.databasePrefix=a.b', /databasePrefix/],
    ['redis.existingSecret=Not_A_Name', /redis.*existingSecret/],
    ['components.gateway.service.type=ExternalName', /service.*type/],
    ['components.gateway.service.port=0', /service.*port/],
    ['ingress.bodySize=large', /bodySize/],
    ['migrations.activeDeadlineSeconds=1', /activeDeadlineSeconds/],
    ['networkPolicy.databases[0].cidr=10.0.0.0/8', /databases/],
    ['networkPolicy.dns=null', /it is taken/],
    ['networkPolicy.ports.mongodb[0]=70000', /ports.*mongodb/],
    ['networkPolicy.outboundExcept[0]=internal', /outboundExcept/],
    ['monitoring.serviceMonitor.interval=often', /interval/],
    ['trial.kafka.storage=much', /storage/],
  ])('%s', async (set, path) => {
    expect(await refusal('ingress', set)).toMatch(path);
  });
});
