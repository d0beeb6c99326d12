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
 * Brings the certificates in a namespace's Secrets to the wanted state: reads, plans, changes one
 * Secret after the other, until nothing is left to do. If a run is killed at any moment, the next
 * one continues from the contents of the Secrets. Confined to one thread.
 */
public final class CertificateRun {
    /** Each round changes something, unless another run has changed it. */
    private static final int ROUNDS_MAX = 100;

    private final SecretsApi api;
    private final CertificateOrder order;
    private final InstantSource clock;
    private final Pause pause;
    private final Consumer<String> told;

    /**
     * Creates a run without reading anything.
     *
     * @param told receives a line for each change
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
     * Does what must be done now, and what must be done later if that is soon enough.
     *
     * @param waitMax how long the run may wait for processes to read a change
     * @return when more must be done; empty if everything is as wanted
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
                // Another run is active, and the state read here is out of date.
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
