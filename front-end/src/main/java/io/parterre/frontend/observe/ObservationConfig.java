package io.parterre.frontend.observe;

import io.parterre.frontend.config.Problems;

/**
 * What is told of single requests.
 *
 * @param accountMetersMax accounts that have meters of their own, those that call first; the others
 *     share one. 0: none has
 * @param failedLoginsPerMinuteMax lines of the audit log for requests whose credential proves
 *     nothing; the others are counted. 0: there are none
 */
public record ObservationConfig(
        RequestLogConfig requestLog,
        SlowRequestsConfig slowRequests,
        int accountMetersMax,
        int failedLoginsPerMinuteMax) {
    public static final ObservationConfig DEFAULT =
            new ObservationConfig(RequestLogConfig.OFF, SlowRequestsConfig.DEFAULT, 100, 60);

    public ObservationConfig {
        new Problems()
                .range("accountMetersMax", accountMetersMax, 0, 10_000)
                .range("failedLoginsPerMinuteMax", failedLoginsPerMinuteMax, 0, 100_000)
                .refuseIfAny();
    }

    /** Whether nothing is told, so that nothing need be noted. */
    boolean isOff() {
        return requestLog.output() == RequestLogConfig.Output.NONE
                && slowRequests.isOff()
                && accountMetersMax == 0
                && failedLoginsPerMinuteMax == 0;
    }
}
