package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.plan.CertificatePlan;
import io.parterre.deploy.certs.plan.CertificatePlanner;
import io.parterre.deploy.certs.plan.CertificateStep;
import io.parterre.deploy.certs.plan.HeldCertificate;
import io.parterre.deploy.certs.plan.WantedCertificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Brings the certificates in a namespace's Secrets to what they should be: reads, plans, changes
 * one Secret after the other, until there is nothing left to do. Killed at any moment, the next run
 * goes on from what the Secrets hold. For one thread.
 */
public final class CertificateRun {
    /** Each round changes something, or somebody else has. */
    private static final int ROUNDS_MAX = 100;

    private final SecretsApi api;
    private final CertificateOrder order;
    private final InstantSource clock;
    private final Pause pause;
    private final Consumer<String> told;

    /**
     * Reads nothing yet.
     *
     * @param told a line for each change
     */
    public CertificateRun(
            PodAccount account,
            String namespace,
            CertificateOrder order,
            InstantSource clock,
            Pause pause,
            Consumer<String> told) {
        this.api = new SecretsApi(account, namespace, pause);
        this.order = order;
        this.clock = clock;
        this.pause = pause;
        this.told = told;
    }

    /**
     * Does what is to be done now, and what is to be done later if that is soon enough.
     *
     * @param waitMax how long it may wait for processes to read what was changed
     * @return when there will be more to do; empty: all is as it should be
     * @throws SecretsException if a Secret cannot be read, written or used
     */
    public Optional<Instant> run(Duration waitMax) throws InterruptedException {
        Instant end = clock.instant().plus(waitMax);
        CertificatePlanner planner = new CertificatePlanner(order.policy());
        for (int round = 0; round < ROUNDS_MAX; round++) {
            SecretsState state = SecretsState.read(api, order);
            Instant now = clock.instant();
            CertificatePlan plan = planner.plan(state.planned(), order.wanted(), state.held(), now);
            if (!plan.steps().isEmpty()) {
                change(new CertificateSteps(order, state, now), plan);
                continue;
            }
            if (plan.next().isEmpty()) {
                tell(state);
                return Optional.empty();
            }
            if (plan.next().get().isAfter(end)) {
                return plan.next();
            }
            told.accept("waits until " + plan.next().get() + ": all read the change by then");
            pause.sleep(Duration.between(now, plan.next().get()));
        }
        throw new SecretsException(
                "secrets were changed " + ROUNDS_MAX + " times, and are not as they should be");
    }

    private void change(CertificateSteps steps, CertificatePlan plan) throws InterruptedException {
        for (CertificateStep step : plan.steps()) {
            CertificateSteps.Change change = steps.change(step);
            if (!api.write(change.secret())) {
                // Another run is at work, and what was read is of yesterday.
                told.accept(change.secret().name() + ": changed by somebody else, read again");
                return;
            }
            told.accept(change.told());
        }
    }

    private void tell(SecretsState state) {
        for (WantedCertificate each : order.wanted()) {
            HeldCertificate held = state.held().get(each.secret());
            told.accept(
                    each.secret()
                            + ": "
                            + each.name()
                            + " until "
                            + held.certificate().orElseThrow().ends());
        }
    }
}
