package io.parterre.deploy.config;

import io.parterre.frontend.http.HttpServerConfig;

/** Keys of the front end. */
public record FrontEndSection(HttpServerConfig http) {
    static final FrontEndSection DEFAULT =
            new FrontEndSection(HttpServerConfig.listeningOn("127.0.0.1", 10_002));
}
