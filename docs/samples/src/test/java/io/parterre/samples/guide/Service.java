package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.parterre.chaos.client.TestedService;
import java.util.UUID;

/** The service the samples run against, through a client as any application would build it. */
final class Service {
    static final TableServiceClient CLIENT =
            new TableServiceClientBuilder()
                    .connectionString(TestedService.get().connectionString())
                    .buildClient();

    private Service() {}

    static TableClient freshTable() {
        return CLIENT.createTable("Guide" + UUID.randomUUID().toString().replace("-", ""));
    }
}
