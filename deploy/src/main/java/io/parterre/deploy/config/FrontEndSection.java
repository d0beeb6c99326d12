package io.parterre.deploy.config;

import io.parterre.frontend.FrontEndConfig;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.client.ClusterClientConfig;
import io.parterre.frontend.http.HttpServerConfig;
import io.parterre.frontend.observe.ObservationConfig;
import io.parterre.frontend.observe.RequestLogConfig;
import io.parterre.frontend.observe.SlowRequestsConfig;

/** Keys of the front end, see {@link FrontEndConfig}. */
public record FrontEndSection(
        String name,
        HttpServerConfig http,
        TableSection table,
        ClusterClientConfig cluster,
        AccountsConfig accounts,
        RequestLogConfig requestLog,
        SlowRequestsConfig slowRequests,
        int accountMetersMax,
        int failedLoginsPerMinuteMax) {
    static final FrontEndSection DEFAULT =
            new FrontEndSection(
                    "front-end",
                    HttpServerConfig.listeningOn("127.0.0.1", 10_002),
                    TableSection.DEFAULT,
                    ClusterClientConfig.DEFAULT,
                    AccountsConfig.DEFAULT,
                    ObservationConfig.DEFAULT.requestLog(),
                    ObservationConfig.DEFAULT.slowRequests(),
                    ObservationConfig.DEFAULT.accountMetersMax(),
                    ObservationConfig.DEFAULT.failedLoginsPerMinuteMax());

    public FrontEndSection {
        new FrontEndConfig(
                name,
                http,
                http.connectionsMax(),
                cluster,
                table.limits().entity(),
                accounts,
                new ObservationConfig(
                        requestLog, slowRequests, accountMetersMax, failedLoginsPerMinuteMax),
                "");
    }

    /**
     * Returns the configuration of the front end.
     *
     * @param trust how long the front end trusts accounts
     * @param release release of the software
     * @param connectionsMax number of clients for which the process has file handles
     */
    public FrontEndConfig role(AccountsConfig trust, String release, int connectionsMax) {
        return new FrontEndConfig(
                name,
                http,
                Math.min(http.connectionsMax(), connectionsMax),
                cluster,
                table.limits().entity(),
                trust,
                new ObservationConfig(
                        requestLog, slowRequests, accountMetersMax, failedLoginsPerMinuteMax),
                release);
    }
}
