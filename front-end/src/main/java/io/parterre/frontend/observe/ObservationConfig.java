package io.parterre.frontend.observe;

import io.parterre.frontend.config.Problems;

/**
 * What is told of single requests.
 *
 * @param accountMetersMax accounts that have meters of their own, those that call first; the others
 *     share one. 0: none has
 */
public record ObservationConfig(
        RequestLogConfig requestLog, SlowRequestsConfig slowRequests, int accountMetersMax) {
    public static final ObservationConfig DEFAULT =
            new ObservationConfig(RequestLogConfig.OFF, SlowRequestsConfig.DEFAULT, 100);

    public ObservationConfig {
        new Problems().range("accountMetersMax", accountMetersMax, 0, 10_000).refuseIfAny();
    }

    /** Whether nothing is told, so that nothing need be noted. */
    boolean isOff() {
        return requestLog.output() == RequestLogConfig.Output.NONE
                && slowRequests.isOff()
                && accountMetersMax == 0;
    }
}
